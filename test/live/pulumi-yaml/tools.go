//go:build tools

// Package tools names the program that is built from this module: Pulumi's language host for YAML, which a released CLI
// brings and one that is built from Go modules does not.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
