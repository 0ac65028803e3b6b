package idem_test

import (
	"io"
	"log"
)

// quietLog is for servers whose handlers panic on purpose.
func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }
