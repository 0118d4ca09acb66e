// Binds the package schema as Pulumi does, and has Pulumi's generators write SDKs and programs from it.
package main

import (
	"errors"
	"fmt"
	"os"
)

const usage = "usage: bind SCHEMA | generate LANGUAGE SCHEMA FOLDER | program LANGUAGE SCHEMA RESOURCES"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "bind":
		bound, err := bind(args[1])
		if err != nil {
			return err
		}
		fmt.Printf("%d resources, %d functions, %d types\n", len(bound.Resources), len(bound.Functions), len(bound.Types))
		return nil
	case len(args) == 4 && args[0] == "generate":
		return generate(args[1], args[2], args[3])
	case len(args) == 4 && args[0] == "program":
		return writeProgram(os.Stdout, args[1], args[2], args[3])
	default:
		return errors.New(usage)
	}
}
