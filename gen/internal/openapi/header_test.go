package openapi

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// A key in a header that means something else, or that no handler sees, would be missing or wrong.
func TestHeaderOfTheKey(t *testing.T) {
	t.Parallel()
	for name, fine := range map[string]bool{
		"Idempotency-Key": true, "X-Request-Id": true, "X-Key": true, "Contents": true, "Ifs": true, "PayPal-Request-Id": true,
		"Host": false, "content-length": false, "Transfer-Encoding": false, "Trailer": false, "Connection": false, "TE": false,
		"Content-Type": false, "content-encoding": false, "AUTHORIZATION": false, "Proxy-Authorization": false, "Cookie": false,
		"Accept": false, "Accept-Language": false, "If-Match": false, "X-Forwarded-For": false, "Sec-Fetch-Mode": false,
		"A B": false, "'a:'": false, "''": false, "7": false, "é": false,
	} {
		text := fmt.Sprintf("x-idempotency: {header: %s}\n", name) + marked("{type: string}", "")
		_, problems := Load(fstest.MapFS{"d.yaml": {Data: []byte(text)}}, "d.yaml")
		if fine != (len(problems) == 0) || !fine && !strings.HasPrefix(show(problems[0]), "d.yaml:1:25: header is ") {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
