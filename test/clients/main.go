// Does for every resource what a user of the official API clients would do: create, read, list, update, delete, and one
// mistake. The arguments name the services (secrets, cluster, policy); addresses and tokens come from the environment, under
// the names that the clients themselves read. Prints each step as one line of JSON; ends with 1 when one failed.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

var services = map[string]func(*run, string){
	"secrets": checkSecrets,
	"cluster": checkCluster,
	"policy":  checkPolicy,
}

// What may hang has a deadline of its own, and whoever runs the program has one for the whole.
var ctx = context.Background()

func main() {
	if len(os.Args) < 2 {
		fail("name at least one of secrets, cluster, policy")
	}
	r := newRun(os.Stdout)
	// Names of its own let the program run twice on one server.
	suffix := fmt.Sprintf("%x", time.Now().UnixNano())
	for _, name := range os.Args[1:] {
		check, ok := services[name]
		if !ok {
			fail("there is no service " + name)
		}
		check(r, suffix)
	}
	if r.failed {
		os.Exit(1)
	}
}

// needed is the value of a variable that no client has a default for.
func needed(name string) string {
	value := strings.TrimSpace(os.Getenv(name))
	if value == "" {
		fail(name + " is not set")
	}
	return value
}

func fail(reason string) {
	fmt.Fprintln(os.Stderr, "clients:", reason)
	os.Exit(2)
}
