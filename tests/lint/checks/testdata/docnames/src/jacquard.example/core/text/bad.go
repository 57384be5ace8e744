// The text form. // want `the comment of package text begins with "Package text "`
package text
