;;; lint.el --- Compiles and checks the package  -*- lexical-binding: t; -*-

;;; Commentary:

;; Ends with 1 after a warning of the compiler, of checkdoc or of
;; package-lint.

;;; Code:

(require 'checkdoc)
(require 'bytecomp)
(let ((source "/usr/share/emacs/site-lisp/elpa-src"))
  (dolist (directory (and (file-directory-p source) (directory-files source t "\\`\\(package-lint\\|let-alist\\)-")))
    (push directory load-path)))
(require 'package-lint)

(defvar elicit-lint-found 0)

(defun elicit-lint-say (file what)
  "Print WHAT is wrong in FILE."
  (setq elicit-lint-found (1+ elicit-lint-found))
  (message "%s: %s" file what))

(let ((byte-compile-error-on-warn t) (byte-compile-dest-file-function (lambda (_) (make-temp-file "elc")))
      (package-lint-main-file "elicit.el")
      (checkdoc-create-error-function
       (lambda (text start &rest _)
         (elicit-lint-say (format "%s:%d" (buffer-name) (line-number-at-pos start)) text)
         nil)))
  (dolist (file '("elicit-invisible.el" "elicit-plain.el" "elicit-engine.el" "elicit-form.el" "elicit.el"))
    (unless (byte-compile-file file) (elicit-lint-say file "does not compile"))
    (with-current-buffer (find-file-noselect file)
      (let ((checkdoc-diagnostic-buffer "*checkdoc*")) (checkdoc-current-buffer t))
      (pcase-dolist (`(,line ,_ ,kind ,what) (package-lint-buffer))
        ;; Debian's package-lint is older than Emacs 28.
        (unless (string-search "in all released Emacs versions" what)
          (elicit-lint-say (format "%s:%d" file line) (format "%s: %s" kind what)))))))

(message "%d warnings" elicit-lint-found)
(kill-emacs (if (zerop elicit-lint-found) 0 1))
;;; lint.el ends here
