package main

import (
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "trustplane"

// generators by the name of the language, which is also the folder's.
var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"python": func(bound *schema.Package) (map[string][]byte, error) {
		files, err := python.GeneratePackage(tool, bound, nil, noOther{})
		if err != nil {
			return nil, err
		}
		// The project names a README that the generator puts a folder deeper.
		files["README.md"] = files["trustplane/README.md"]
		return files, nil
	},
	"go": func(bound *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, bound, nil)
	},
}

// generate writes the SDK of a language into a folder.
func generate(language, file, folder string) error {
	generator, known := generators[language]
	if !known {
		return fmt.Errorf("there is no generator for %q", language)
	}
	bound, err := bind(file)
	if err != nil {
		return err
	}
	files, err := generator(bound)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
