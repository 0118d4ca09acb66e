@node "%~dp0pulumi-resource-trustplane" %*
