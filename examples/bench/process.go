package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen"
)

// A process is this program, run again for one task on one document, so that what it takes is the task's alone. Processor
// time is that of all its threads: what is done at the same time is counted as often.
type process struct{ task, document string }

// tasks are what a process can be asked to do.
var tasks = map[string]func(document string) error{
	"generate": func(document string) error {
		_, err := gen.Generate(os.DirFS(filepath.Dir(document)), gen.Config{
			Spec: filepath.Base(document), Package: "bench", ImportPath: "example.com/bench",
		})
		return err
	},
	"lint": func(document string) error {
		_, err := gen.Lint(os.DirFS(filepath.Dir(document)), gen.LintConfig{Spec: filepath.Base(document)})
		return err
	},
	"load": func(document string) error {
		_, err := openapi3.NewLoader().LoadFromFile(document)
		return err
	},
}

// work does a task and prints how much memory this process has had at most. It is the child's side of [process.run].
func work(task, document string) error {
	do, ok := tasks[task]
	if !ok {
		return fmt.Errorf("there is no task %q", task)
	}
	if err := do(document); err != nil {
		return err
	}
	peak, err := peakMemory()
	fmt.Println(peak)
	return err
}

// peakMemory is the most that was resident, in bytes. The figure that a parent gets of its child will not do: it begins
// with what the parent has.
func peakMemory() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "VmHWM:" {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("/proc/self/status does not say what the peak was")
}

// run does the task in a new process: its processor time, and its peak memory in bytes.
func (p process) run(ctx context.Context) (cpu time.Duration, peak int64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, self, "task", p.task, p.document)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return 0, 0, fmt.Errorf("%s: %w: %.200s", p.task, err, exit.Stderr)
	} else if err != nil {
		return 0, 0, err
	}
	peak, err = strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return cpuOf(cmd), peak, err
}

// cpuOf is the processor time of a command that has ended, and of those that it ran.
func cpuOf(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// seconds is a side: the processor time of a process.
func (p process) seconds(ctx context.Context, _ time.Duration) (float64, error) {
	cpu, _, err := p.run(ctx)
	return cpu.Seconds(), err
}

// megabytes is a side: the peak memory of a process.
func (p process) megabytes(ctx context.Context, _ time.Duration) (float64, error) {
	_, peak, err := p.run(ctx)
	return float64(peak) / 1e6, err
}
