package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A line is what is printed of a step: what was compared when it went well, what is wrong when it did not.
type line struct {
	Resource string `json:"resource"`
	Step     string `json:"step"`
	OK       bool   `json:"ok"`
	Detail   string `json:"detail"`
}

type run struct {
	out    *json.Encoder
	failed bool
}

func newRun(out io.Writer) *run {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return &run{out: encoder}
}

// step runs one step and prints how it went; one that compares nothing has failed.
func (r *run) step(resource, name string, do func(*checks) error) {
	c := &checks{}
	if err := do(c); err != nil {
		c.wrong = append(c.wrong, err.Error())
	}
	if len(c.seen) == 0 && len(c.wrong) == 0 {
		c.wrong = append(c.wrong, "nothing was compared")
	}
	l := line{Resource: resource, Step: name, OK: len(c.wrong) == 0, Detail: strings.Join(c.seen, ", ")}
	if !l.OK {
		r.failed = true
		l.Detail = strings.Join(c.wrong, "; ")
	}
	if err := r.out.Encode(l); err != nil {
		fail(err.Error())
	}
}

// checks collects what a step compares, so that it tells all differences at once.
type checks struct {
	seen  []string
	wrong []string
}

// equal compares as JSON: the clients hand on numbers and lists of several Go types.
func (c *checks) equal(what string, got, want any) {
	gotText, wantText := jsonOf(got), jsonOf(want)
	c.seen = append(c.seen, what)
	if gotText != wantText {
		c.wrong = append(c.wrong, fmt.Sprintf("%s is %s instead of %s", what, gotText, wantText))
	}
}

// fields compares members of a record by their wire names.
func (c *checks) fields(got, want map[string]any) {
	for _, name := range sortedKeys(want) {
		value, ok := got[name]
		c.equal(name, value, want[name])
		if !ok {
			c.wrong = append(c.wrong, name+" is absent")
		}
	}
}

// holds notes a condition that is no comparison of two values.
func (c *checks) holds(what string, condition bool) {
	c.seen = append(c.seen, what)
	if !condition {
		c.wrong = append(c.wrong, "not so: "+what)
	}
}

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%#v", value)
	}
	return string(text)
}

func sortedKeys(of map[string]any) []string {
	return slices.Sorted(maps.Keys(of))
}
