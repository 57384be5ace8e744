package ir // want `package core/x has 21 files, more than 20` `package core/x has 5\d\d\d lines, more than 5000`
