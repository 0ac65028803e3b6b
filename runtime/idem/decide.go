package idem

// Ending is how a handler ended.
type Ending struct {
	Status      int  // the response's; 500 for an error that is not mapped; 0 after a panic
	Joined      bool // effect and result are in one transaction: what is not stored is rolled back
	NotExecuted bool // the handler called NotExecuted
	Panicked    bool // the handler panicked, or ended its goroutine
}

// Verdict is what becomes of the record.
type Verdict uint8

// The verdicts.
const (
	Keep    Verdict = iota + 1 // store the response; retries replay it
	Forget                     // release the key; a retry runs again
	Suspend                    // the outcome is unknown; retries get what on-unknown says. Forget in joined mode
)

// Decide is the default verdict:
//
//   - a panic is unknown, whatever the handler said before it;
//   - an error status with [NotExecuted] releases the key; a success says otherwise, and is stored;
//   - every status below 500 is stored, 400 and 403 too (policy: "for success and for mapped domain
//     errors alike"): after Begin they are the operation's answer;
//   - 5xx is unknown: nobody can say whether the effect happened. In joined mode it did not, so the
//     key is released.
func Decide(e Ending) Verdict {
	nothingDone := e.NotExecuted && e.Status >= 400
	switch {
	case e.Joined && (e.Panicked || nothingDone || e.Status >= 500):
		return Forget
	case e.Panicked:
		return Suspend
	case nothingDone:
		return Forget
	case e.Status >= 500:
		return Suspend
	default:
		return Keep
	}
}

// decide asks the service's function or the default one. After a panic there is nothing to keep.
func (s *Service) decide(e Ending) Verdict {
	if s.Decide == nil {
		return Decide(e)
	}
	v := s.Decide(e)
	if v == Keep && e.Panicked {
		return Decide(e)
	}
	return v
}

// Question asks whether an attempt that ended without a result has done its work.
type Question struct {
	Execution     // the record, taken over
	Payload   any // the typed payload in a typed handler and in Begin; else nil
}

// Answer says what the service found out.
type Answer struct {
	kind     answerKind
	response *Response
}

type answerKind uint8

const (
	dontKnow answerKind = iota
	notDone
	done
)

// Done: the work was done and r is its response, which is stored now.
func Done(r *Response) Answer { return Answer{kind: done, response: r} }

// NotDone: the work has not been done; it runs now.
func NotDone() Answer { return Answer{kind: notDone} }

// DontKnow: the outcome stays unknown. So does it after an error or a panic.
func DontKnow() Answer { return Answer{} }
