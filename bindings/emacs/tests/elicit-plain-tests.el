;;; elicit-plain-tests.el --- Tests of drawn text  -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'elicit-plain)

(defvar elicit-tests-data (expand-file-name (if (file-exists-p "plain.json") "." "../../../testdata/")
                                            (file-name-directory (or load-file-name buffer-file-name))))

(ert-deftest elicit-plain-shared-cases ()
  "The cases that every interface shares."
  (let ((cases (with-temp-buffer
                 (insert-file-contents (expand-file-name "plain.json" elicit-tests-data))
                 (json-parse-buffer :object-type 'plist))))
    (should (>= (length cases) 30))
    (seq-doseq (case cases)
      (ert-info ((plist-get case :name) :prefix "case: ")
        (should (equal (elicit-plain (plist-get case :in)) (plist-get case :out)))))))

(ert-deftest elicit-plain-leaves-no-property-and-no-raw-byte ()
  (let ((text (elicit-plain (concat (propertize "a" 'display "b" 'invisible t 'keymap [t]) "\e[2J\ra" "\x3fffff"))))
    (should (equal text "a<U+001B>[2J<U+000D>a<FF>"))
    (should-not (text-properties-at 0 text))))

(provide 'elicit-plain-tests)
;;; elicit-plain-tests.el ends here
