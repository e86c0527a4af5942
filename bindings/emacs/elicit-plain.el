;;; elicit-plain.el --- Text of others, safe to draw  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The Elicit authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Spells each character that is invisible, or that would move the text
;; around it.

;;; Code:

(require 'elicit-invisible)

(defun elicit-plain--table (ranges)
  "Return a char-table that has t for the characters of RANGES."
  (let ((table (make-char-table 'elicit-plain)))
    (dolist (range ranges table)
      (set-char-table-range table range t))))

(put 'elicit-plain 'char-table-extra-slots 0)
(defconst elicit-plain--invisible (elicit-plain--table elicit-invisible))
(defconst elicit-plain--pictographs (elicit-plain--table elicit-pictographs))

(defun elicit-plain--emoji-p (char last earlier after)
  "Whether CHAR is a joiner or selector that belongs to an emoji.
LAST and EARLIER were drawn before it, 0 if spelled; AFTER follows or is nil."
  (let ((pictograph (lambda (c) (aref elicit-plain--pictographs c))))
    (pcase char
      (#xfe0f (or (funcall pictograph last)
                  (and (eql after #x20e3) (seq-contains-p "0123456789#*" last))))
      (#x200d (and after (funcall pictograph after)
                   (or (funcall pictograph last)
                       (and (= last #xfe0f) (funcall pictograph earlier))))))))

(defun elicit-plain (text)
  "Return TEXT without properties, its invisible characters spelled.
Line feeds stay.  No letter keeps more than four combining marks."
  (setq text (replace-regexp-in-string "\r\n" "\n"
                                       (string-to-multibyte (substring-no-properties text)) t t))
  (if (not (string-match-p "[^ -~\n]" text))
      text
    (let ((last 0) (earlier 0) (marks 0) (end (length text)) out)
      (dotimes (i end)
        (let* ((char (aref text i))
               (class (get-char-code-property char 'general-category))
               (drawn char))
          (setq marks (if (memq class '(Mn Mc Me)) (1+ marks) 0))
          (push (cond
                 ((eq char ?\n) "\n")
                 ((eq char ?\t) "    ")
                 ((eq class 'Zs) (if (aref elicit-plain--invisible char) (setq drawn 0)) " ")
                 ((or (elicit-plain--emoji-p char last earlier (and (< (1+ i) end) (aref text (1+ i))))
                      (and (<= marks 4) (not (memq class '(Cn Cs)))
                           (not (aref elicit-plain--invisible char))))
                  (string char))
                 (t (setq drawn 0)
                    (format (if (> char #x10ffff) "<%02X>" "<U+%04X>")
                            (if (> char #x10ffff) (multibyte-char-to-unibyte char) char))))
                out)
          (setq earlier last last drawn)))
      (apply #'concat (nreverse out)))))

(defun elicit-plain-line (text)
  "Return TEXT as `elicit-plain' does, on one line."
  (replace-regexp-in-string "\n" " " (elicit-plain text) t t))

(provide 'elicit-plain)
;;; elicit-plain.el ends here
