package live

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// A process is a server of ours with a folder of its own.
type process struct {
	dir   string
	stdin io.Closer
	ended chan struct{}
}

// watch runs a server until it ends, or until the watch's own input ends, which it does with the test binary, killed
// or not; then it removes the folder. $1 is the signal that ends the server in an orderly way, $2 the folder.
const watch = `
signal=$1 dir=$2; shift 2
exec 3<&0
"$@" 3<&- >"$dir/log" 2>&1 &
server=$!
{ cat; kill -"$signal" "$server"; } <&3 >/dev/null 2>&1 &
wait "$server"
tail -n 20 "$dir/log" >&2
rm -rf "$dir"
`

// newFolder makes a folder of the account that servers run under. Its path is short: it holds sockets.
func newFolder(name string) (string, error) {
	dir, err := os.MkdirTemp("", "idemgen-"+name+"-")
	if err != nil {
		return "", err
	}
	account, err := unprivileged()
	if err == nil && account != nil {
		err = os.Chown(dir, int(account.Uid), int(account.Gid))
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// unprivileged is another account than root's, under which PostgreSQL refuses to run; nil where this is none.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(account.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(account.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("this is root, and there is no account postgres or nobody to run a server under")
}

// command is a program that runs under the unprivileged account, in a group of its own: Ctrl-C is for the tests.
func command(dir, name string, args ...string) (*exec.Cmd, error) {
	account, err := unprivileged()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account, Setpgid: true}
	return cmd, nil
}

// run runs a program to its end.
func run(dir, name string, args ...string) error {
	cmd, err := command(dir, name, args...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}

// start starts a server and waits until ready says so.
func start(dir, signal string, ready func() bool, name string, args ...string) (*process, error) {
	cmd, err := command(dir, "/bin/sh", append([]string{"-c", watch, "watch", signal, dir, name}, args...)...)
	if err != nil {
		return nil, err
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{dir: dir, stdin: stdin, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // the status is the server's, which ends by a signal
	}()
	patience := time.After(20 * time.Second)
	for !ready() {
		select {
		case <-p.ended:
			return nil, fmt.Errorf("%s ended:\n%s", filepath.Base(name), bytes.TrimSpace(log.Bytes()))
		case <-patience:
			p.stop()
			return nil, fmt.Errorf("%s is not ready:\n%s", filepath.Base(name), bytes.TrimSpace(log.Bytes()))
		case <-time.After(10 * time.Millisecond):
		}
	}
	return p, nil
}

// stop ends the server and waits until its folder is gone.
func (p *process) stop() {
	_ = p.stdin.Close()
	<-p.ended
	_ = os.RemoveAll(p.dir) // where the server's account may not remove it
}

// freePort is a port of loopback that nobody listened on a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// find looks a program up in the folders, the latest first where a pattern matches several, and then in PATH.
func find(name string, folders ...string) (string, error) {
	for _, pattern := range folders {
		found, err := filepath.Glob(filepath.Join(pattern, name))
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not installed: it is neither in PATH nor in %v", name, folders)
	}
	return path, nil
}
