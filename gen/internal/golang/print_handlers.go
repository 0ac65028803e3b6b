package golang

import "github.com/dave/jennifer/jen"

// handlers prints handlers.gen.go: the typed ways into the runtime. Each is one call of it, so that
// there is nothing to get wrong here.
func (p *Plan) handlers(pkg string) ([]File, error) {
	var pieces []piece
	for _, op := range p.operations {
		pieces = append(pieces, piece{segment(op.Endpoint), op.printHandlers})
	}
	return p.parted(pkg, "handlers", append(pieces, piece{print: printMiddleware}))
}

func printMiddleware(f *jen.File) {
	declareFunc(f, function{
		name: "Middleware",
		doc: "guards every keyed operation of the document in front of next. Place it after authentication, " +
			"so that the service's scope function knows the caller.",
		params: []jen.Code{param("svc", service()), param("next", jen.Qual("net/http", "Handler"))},
		result: handler(),
		body:   jen.Qual(idemPath, "Wrap").Call(jen.Id("svc"), jen.Id("Operations"), jen.Id("next")),
	})
}

func (op *operation) printHandlers(f *jen.File) {
	payload, variable := jen.Id(op.payload.name), jen.Op("&").Id(op.variable)
	svc := param("svc", service())
	call := func(name string, args ...jen.Code) jen.Code { return jen.Qual(idemPath, name).Call(args...) }

	declareFunc(f, function{
		name:   "Handle" + op.name,
		doc:    "serves " + op.Endpoint + ": fn runs once for a key, and a replay gets its response.",
		params: []jen.Code{svc, param("fn", jen.Qual(idemPath, "Func").Types(payload))},
		result: handler(),
		body:   call("Handle", jen.Id("svc"), variable, jen.Id("fn")),
	})
	declareFunc(f, function{
		name:    "Handle" + op.name + "Tx",
		generic: true,
		doc:     "serves " + op.Endpoint + "; fn's effects and its response commit together.",
		params: []jen.Code{svc, param("store", jen.Qual(idemPath, "TxStore").Types(jen.Id("Tx"))),
			param("fn", jen.Qual(idemPath, "TxFunc").Types(jen.Id("Tx"), payload))},
		result: handler(),
		body:   call("HandleTx", jen.Id("svc"), variable, jen.Id("store"), jen.Id("fn")),
	})
	declareFunc(f, function{
		name:   "Wrap" + op.name,
		doc:    "guards a handler of " + op.Endpoint + " that reads the request itself.",
		params: []jen.Code{svc, param("next", jen.Qual("net/http", "Handler"))},
		result: handler(),
		body:   call("WrapOne", jen.Id("svc"), variable, jen.Id("next")),
	})
	declareFunc(f, function{
		name: "Begin" + op.name,
		doc:  "reserves " + op.Endpoint + " for work that does not come over HTTP.",
		params: []jen.Code{param("ctx", jen.Qual("context", "Context")), svc, param("scope", jen.Qual(idemPath, "Scope")),
			param("key", jen.String()), param("p", payload)},
		result: jen.Params(jen.Op("*").Qual(idemPath, "Attempt"), jen.Error()),
		body:   call("Begin", jen.Id("ctx"), jen.Id("svc"), variable, jen.Id("scope"), jen.Id("key"), jen.Id("p")),
	})
	declareFunc(f, function{
		name:   "Fingerprint" + op.name,
		doc:    "is what two requests of " + op.Endpoint + " are compared by.",
		params: []jen.Code{param("p", payload)},
		result: jen.Params(jen.Qual(idemPath, "Fingerprint"), jen.Error()),
		body:   call("FingerprintOf", variable, jen.Id("p")),
	})
}

// A function returns what its one call returns.
type function struct {
	name    string
	doc     string // goes on behind the name
	generic bool   // over Tx
	params  []jen.Code
	result  jen.Code
	body    jen.Code
}

func declareFunc(f *jen.File, fn function) {
	add(f, comments(wrap(fn.name+" "+fn.doc, fieldLines)...)...)
	s := f.Func().Id(fn.name)
	if fn.generic {
		s.Types(jen.Id("Tx").Any())
	}
	s.Params(fn.params...).Add(fn.result).Block(jen.Return(fn.body))
}

func param(name string, typ jen.Code) jen.Code { return jen.Id(name).Add(typ) }
func service() *jen.Statement                  { return jen.Op("*").Qual(idemPath, "Service") }
func handler() *jen.Statement                  { return jen.Op("*").Qual(idemPath, "Handler") }
