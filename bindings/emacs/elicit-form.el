;;; elicit-form.el --- A question in a buffer  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The Elicit authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Draws a question with widgets.  The engine reads the values at every
;; change and checks the answer.  Text of others is only drawn: it comes
;; into no format, prompt or address without `elicit-plain'.

;;; Code:

(require 'wid-edit)
(require 'subr-x)
(require 'elicit-engine)
(require 'elicit-plain)

(cl-defstruct (elicit-question (:constructor elicit-question--make))
  "A question that waits for the person."
  connection id show schema link config buffer
  (typed (make-hash-table :test 'equal))
  (problems (make-hash-table :test 'equal))
  (touched (make-hash-table :test 'equal))
  places (turn 0) tried findings (seen 1) end answered awaiting)

(defvar elicit-questions nil "The questions that wait, the oldest first.")
(defvar-local elicit-form--question nil "The question of this buffer.")
(defvar elicit-form-most-items 20 "The most choices that stand in a form; more are picked in the minibuffer.")

(defun elicit-form--get (question &rest names)
  "Return the member of the show effect of QUESTION at the path NAMES."
  (apply #'elicit-get (elicit-question-show question) names))

(defun elicit-form--give (question event &rest members)
  "Report EVENT of QUESTION with MEMBERS to the engine."
  (elicit-engine-give (elicit-question-connection question)
                      `((event . ,event) (session . ,(elicit-form--get question "session"))
                        (id . ,(elicit-question-id question)) ,@members)))

(defun elicit-form--fields (question)
  "Return the fields of QUESTION."
  (append (elicit-form--get question "form" "fields") nil))

(defun elicit-form--raw (value)
  "Return VALUE, of JSON, as the text of a choice."
  (pcase value ('t "true") (:false "false") ('nil "null") (_ value)))

(defun elicit-form--items (field)
  "Return the choices of FIELD: lists of a label and a text."
  (if (equal (elicit-get field "kind") "boolean")
      '(("yes" t) ("no" :false))
    (seq-map (lambda (choice) (list (elicit-plain-line (elicit-get choice "title"))
                                    (elicit-form--raw (elicit-get choice "value"))))
             (elicit-get field "choices"))))

(defun elicit-form--value (question field)
  "Return what the person typed in FIELD of QUESTION, or else its default."
  (gethash (elicit-get field "name") (elicit-question-typed question) (elicit-get field "initial")))

(defun elicit-form--set (question field value)
  "Set FIELD of QUESTION to VALUE, or to no answer for the symbol `none'."
  (let ((name (elicit-get field "name")) (typed (elicit-question-typed question)))
    (when (zerop (hash-table-count (elicit-question-touched question)))
      (elicit-form--give question "noted" '(receipt . "first_input")))
    (puthash name t (elicit-question-touched question))
    (cond ((not (eq value 'none)) (puthash name value typed))
          ((equal (elicit-get field "kind") "boolean") (remhash name typed))
          (t (puthash name "" typed)))
    (elicit-form--check question #'ignore)))

;;; The fields

(defun elicit-form--hint (field)
  "Return what FIELD takes, in words."
  (let* ((rules (elicit-get field "constraints"))
         (between (lambda (least most what)
                    (let ((a (elicit-get rules least)) (b (elicit-get rules most)))
                      (and (or a b)
                           (concat (and a (concat "at least " a)) (and a b ", ")
                                   (and b (concat "at most " b)) what))))))
    (string-join
     (delq nil (list (or (elicit-get rules "format")
                         (pcase (elicit-get field "kind")
                           ("number" "a number") ("integer" "a whole number") ("choices" "some of these")))
                     (funcall between "minLength" "maxLength" " characters") (funcall between "minimum" "maximum" "")
                     (funcall between "minItems" "maxItems" " of them") (elicit-get rules "note")
                     (if (eq (elicit-get field "required") t) "required" "optional")
                     (and (elicit-get field "sensitive") "looks like a secret")))
     " · ")))

(defun elicit-form--button (label action)
  "Insert a button with LABEL for the function ACTION."
  (widget-create 'push-button :notify (lambda (&rest _) (funcall action)) :value label))

(defun elicit-form--pick (question field)
  "Ask in the minibuffer for choices of FIELD of QUESTION."
  (let* ((many (equal (elicit-get field "kind") "choices"))
         (prompt (elicit-plain-line (elicit-get field "label")))
         (n 0)
         (table (mapcar (lambda (item) (cons (format "%d. %s" (cl-incf n) (car item)) (cadr item)))
                        (elicit-form--items field)))
         (chosen (and many (append (elicit-form--value question field) nil))) picked)
    (while (and (not (string-empty-p (setq picked (completing-read (concat prompt " (empty ends): ") table nil t))))
                (let ((value (cdr (assoc picked table))))
                  (if many (setq chosen (if (member value chosen) (delete value chosen) (append chosen (list value))))
                    (setq chosen value))
                  many)))
    (when chosen (elicit-form--set question field (if many (vconcat chosen) chosen)))
    (elicit-form-draw question)))

(defun elicit-form--type-secret (question field)
  "Read the secret of FIELD of QUESTION outside of every buffer."
  (elicit-form--set question field (read-passwd (concat (elicit-plain-line (elicit-get field "label")) ": ")))
  (elicit-form-draw question))

(defun elicit-form--titles (field value)
  "Return the labels of the choices VALUE of FIELD, or how long a secret is."
  (let ((values (if (vectorp value) (append value nil) (list value))))
    (cond ((elicit-get field "sensitive") (make-string (length value) ?•))
          (t (mapconcat #'car
                        (seq-filter (lambda (item) (member (cadr item) values)) (elicit-form--items field))
                        ", ")))))

(defun elicit-form--widget (question field)
  "Insert the widget of FIELD of QUESTION."
  (let* ((kind (elicit-get field "kind")) (value (elicit-form--value question field))
         (set (lambda (widget &rest _) (elicit-form--set question field (widget-value widget))))
         (items (and (member kind '("boolean" "choice" "choices")) (elicit-form--items field)))
         (args (mapcar (lambda (item) `(item :format "%t\n" :tag ,(car item) :value ,(cadr item))) items)))
    (cond
     ((or (elicit-get field "sensitive") (> (length items) elicit-form-most-items))
      (elicit-form--button (if items "choose" "type")
                           (lambda () (if items (elicit-form--pick question field)
                                        (elicit-form--type-secret question field))))
      (insert " " (elicit-form--titles field value) "\n"))
     ((equal kind "choices")
      (apply #'widget-create 'checklist :indent 2 :value (append value nil)
             :notify (lambda (widget &rest _) (elicit-form--set question field (vconcat (widget-value widget)))) args))
     (items
      (unless (or (eq (elicit-get field "required") t) (and (equal kind "boolean") (elicit-get field "initial")))
        (setq args (append args '((item :format "%t\n" :tag "no answer" :value none)))))
      (apply #'widget-create 'radio-button-choice :indent 2 :notify set
             :value (cond ((not value) 'none) ((equal kind "boolean") value) (t (elicit-form--raw value))) args))
     (t (let ((text (or value "")))
          (unless (equal text (elicit-plain text)) ; an edited text must be what it looks like
            (insert "default: " (propertize (elicit-plain-line text) 'face 'shadow) "\n  ")
            (setq text ""))
          (widget-create (if (or (equal (elicit-get field "widget") "multiline") (string-search "\n" text))
                             'text 'editable-field)
                         :format "%v" :notify set text)
          (unless (bolp) (insert "\n")))))))

(defun elicit-form--field (question field)
  "Insert FIELD of QUESTION, with a place for its problem."
  (insert (propertize (elicit-plain-line (elicit-get field "label")) 'face 'bold)
          (if (eq (elicit-get field "required") t) " *" "") "\n  ")
  (elicit-form--widget question field)
  (when (elicit-get field "help")
    (insert (propertize (concat (elicit-plain (elicit-get field "help")) "\n")
                        'line-prefix "  │ " 'wrap-prefix "  │ ")))
  (insert (propertize (concat "  " (elicit-plain-line (elicit-form--hint field)) "\n") 'face 'shadow))
  (elicit-form--place question (elicit-get field "name"))
  (insert "\n"))

(defun elicit-form--place (question name)
  "Put the place for problems of the field NAME of QUESTION before point."
  (push (cons name (make-overlay (1- (point)) (point))) (elicit-question-places question)))

;;; Reading and checking

(defun elicit-form--read (question then)
  "Let the engine read the values of QUESTION.
THEN is called with the exact content, and the problems as JSON or nil."
  (let* ((config (elicit-question-config question)) (limits (cdr (assq 'limits config)))
         (input `((schema_text . ,(elicit-question-schema question)) (text . ,(elicit-question-typed question))
                  ,@(and (assq 'profile config) (list (assq 'profile config)))
                  ,@(and limits `((limits . ,(delq nil (mapcar (lambda (pair)
                                                                 (and (assq (car pair) limits)
                                                                      (cons (cdr pair) (cdr (assq (car pair) limits)))))
                                                               '((schema . bytes) (fields . fields) (choices . choices)
                                                                 (text . text))))))))))
    (elicit-engine-eval (elicit-question-connection question) "coerce" (elicit-engine--text input)
                        (lambda (_ text) (funcall then (elicit-engine-member text "content")
                                                  (elicit-engine-member text "problems"))))))

(defun elicit-form--check (question then)
  "Read QUESTION, draw its problems, and call THEN with the content if it fits."
  (let ((turn (cl-incf (elicit-question-turn question))))
    (elicit-form--read question (lambda (content problems)
                                  (when (= turn (elicit-question-turn question))
                                    (clrhash (elicit-question-problems question))
                                    (if problems (elicit-form-refuse question problems)
                                      (elicit-form--mark question)
                                      (funcall then content)))))))

(defun elicit-form-refuse (question problems)
  "Draw PROBLEMS, a JSON text, in QUESTION."
  (elicit-engine-eval
   (elicit-question-connection question) "explain" (format "{\"problems\":%s}" problems)
   (lambda (out _)
     (cl-loop for problem across (json-parse-string (elicit-engine--quote problems))
              for sentence across (elicit-get out "problems")
              for name = (elicit-form--name question (elicit-get problem "pointer"))
              unless (gethash name (elicit-question-problems question))
              do (puthash name sentence (elicit-question-problems question)))
     (elicit-form--mark question))))

(defun elicit-form--name (question pointer)
  "Return the field of QUESTION that POINTER is about, or the empty text."
  (let ((name (car (split-string (string-remove-prefix "/" pointer) "/"))))
    (setq name (string-replace "~0" "~" (string-replace "~1" "/" name)))
    (if (seq-find (lambda (field) (equal (elicit-get field "name") name)) (elicit-form--fields question)) name "")))

(defun elicit-form--mark (question)
  "Put the problems of QUESTION beside its fields."
  (pcase-dolist (`(,name . ,overlay) (elicit-question-places question))
    (let ((sentence (gethash name (elicit-question-problems question))))
      (overlay-put overlay 'after-string
                   (and sentence (or (elicit-question-tried question) (equal name "")
                                     (gethash name (elicit-question-touched question)))
                        (propertize (concat "  ✗ " (elicit-plain-line sentence) "\n") 'face 'error))))))

;;; The buffer

(defvar elicit-form-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map widget-keymap)
    (define-key map (kbd "C-c C-c") #'elicit-accept)
    (define-key map (kbd "C-c C-d") #'elicit-decline)
    (define-key map (kbd "C-c C-k") #'elicit-cancel)
    (define-key map (kbd "C-c C-t") #'elicit-more-time)
    map)
  "Keys of a question.")

(define-derived-mode elicit-form-mode nil "Elicit"
  "Mode of a question from a server or an agent."
  (setq bidi-paragraph-direction 'left-to-right)
  (add-hook 'post-command-hook #'elicit-form--look nil t)
  (add-hook 'window-scroll-functions (lambda (&rest _) (elicit-form--look)) nil t))

(defun elicit-form-draw (question)
  "Draw QUESTION in its buffer, and return the buffer."
  (let ((show (elicit-question-show question)))
    (unless (buffer-live-p (elicit-question-buffer question))
      (setf (elicit-question-buffer question)
            (generate-new-buffer (concat "*elicit: " (elicit-plain-line (elicit-get show "server")) "*")))
      (with-current-buffer (elicit-question-buffer question) (elicit-form-mode)))
    (with-current-buffer (elicit-question-buffer question)
      (let ((inhibit-read-only t) (inhibit-modification-hooks t) (at (point)))
        (mapc #'delete-overlay (overlays-in (point-min) (point-max)))
        (erase-buffer)
        (setq elicit-form--question question widget-field-list nil widget-field-new nil)
        (setf (elicit-question-places question) nil)
        (elicit-form--draw-head question)
        (if (equal (elicit-get show "mode") "url")
            (elicit-form--draw-address question)
          (dolist (field (elicit-form--fields question)) (elicit-form--field question field)))
        (elicit-form--draw-buttons question)
        (widget-setup)
        (goto-char (min at (point-max))))
      (elicit-form--mark question)
      (current-buffer))))

(defun elicit-form--draw-head (question)
  "Insert who asks, the message of QUESTION and its findings."
  (let ((tool (elicit-form--get question "tool")) (deadline (elicit-form--get question "deadline")))
    (insert (propertize (elicit-plain-line (elicit-form--get question "server")) 'face 'bold) " asks"
            (if deadline (format-time-string ", until %H:%M:%S" (/ (string-to-number deadline) 1000)) "") "\n"
            (if tool (concat "while it runs " (elicit-plain-line tool) "\n") "") "\n")
    (dolist (text (delq nil (list (elicit-form--get question "message") (elicit-form--get question "description"))))
      (insert (propertize (concat (elicit-plain text) "\n") 'line-prefix "│ " 'wrap-prefix "│ ")))
    (setf (elicit-question-end question) (point))
    (insert "\n")
    (seq-doseq (finding (elicit-question-findings question))
      (insert (propertize (format "%-7s %s\n" (upcase (elicit-get finding "severity"))
                                  (elicit-plain-line (elicit-get finding "text")))
                          'face 'warning)))
    (when (elicit-question-findings question) (insert "\n"))))

(defun elicit-form--draw-address (question)
  "Insert the whole address of QUESTION, its host marked."
  (let ((url (elicit-form--get question "url")))
    (if (string-match (concat "\\`[[:alpha:]][[:alnum:]+.-]*://\\(?:[^/?#\\\\]*@\\)?"
                              "\\([^/?#\\\\]*?\\)\\(?::[0-9]*\\)?\\(?:[/?#\\\\]\\|\\'\\)")
                      url)
        (insert "  " (elicit-plain-line (substring url 0 (match-beginning 1)))
                (propertize (elicit-plain-line (match-string 1 url)) 'face 'bold)
                (elicit-plain-line (substring url (match-end 1))))
      (insert "  " (elicit-plain-line url)))
    (insert "\n\nThe page opens in your browser.  Nothing is fetched before you agree.\n")))

(defun elicit-form--draw-buttons (question)
  "Insert the buttons of QUESTION."
  (if (elicit-question-awaiting question)
      (progn (insert "Waiting for the page.  ")
             (elicit-form--button "I am done"
                                  (lambda ()
                                    (elicit-form--give question "completed"
                                                       `(link . ,(elicit-question-link question))))))
    (dolist (button `((,(if (equal (elicit-form--get question "mode") "url") "Open the page" "Accept") elicit-accept)
                      ("Decline" elicit-decline) ("Cancel" elicit-cancel)))
      (elicit-form--button (car button) (cadr button))
      (insert " "))
    (insert (substitute-command-keys "  \\[elicit-accept], \\[elicit-decline], \\[elicit-cancel]")))
  (insert "\n")
  (elicit-form--place question ""))

(defun elicit-form--look ()
  "Note how much of the message was on a screen."
  (when elicit-form--question
    (dolist (window (get-buffer-window-list nil nil t))
      (when (<= (window-start window) (elicit-question-seen elicit-form--question))
        (setf (elicit-question-seen elicit-form--question)
              (max (elicit-question-seen elicit-form--question) (window-end window t)))))))

;;; Answers

(defun elicit-form--here ()
  "Return the question of this buffer."
  (or elicit-form--question (user-error "No question is here")))

(defun elicit-form--answer (question action &rest members)
  "Answer QUESTION with ACTION and MEMBERS."
  (apply #'elicit-form--give question "answered" `(action . ,action) members))

(defun elicit-accept ()
  "Agree to the question of this buffer, once all of its message was shown."
  (interactive)
  (let ((question (elicit-form--here)))
    (elicit-form--look)
    (cond
     ((< (elicit-question-seen question) (elicit-question-end question))
      (goto-char (elicit-question-seen question))
      (when (eq (window-buffer) (current-buffer)) (recenter 0))
      (message "Read it all first"))
     ((elicit-question-awaiting question))
     ((equal (elicit-form--get question "mode") "url") (elicit-form--answer question "accept"))
     (t (setf (elicit-question-tried question) t)
        (elicit-form--check question (lambda (content) (elicit-form--send question content)))))))

(defun elicit-form--send (question content)
  "Accept QUESTION with CONTENT, a JSON text."
  (let ((cleared (seq-filter (lambda (name) (and (equal (gethash name (elicit-question-typed question)) "")
                                                 (not (elicit-engine-member content name))))
                             (mapcar (lambda (field) (and (elicit-get field "initial") (elicit-get field "name")))
                                     (elicit-form--fields question)))))
    (apply #'elicit-form--answer question "accept" `(content_text . ,content)
           (and cleared `((cleared . ,(vconcat cleared)))))))

(defun elicit-decline ()
  "Say no to the question of this buffer."
  (interactive)
  (elicit-form--answer (elicit-form--here) "decline"))

(defun elicit-cancel ()
  "Give no answer to the question of this buffer."
  (interactive)
  (elicit-form--answer (elicit-form--here) "cancel"))

(defun elicit-more-time ()
  "Ask for a minute more for the question of this buffer."
  (interactive)
  (let ((deadline (elicit-form--get (elicit-form--here) "deadline")))
    (when deadline
      (elicit-form--give elicit-form--question "extended" `(until . ,(+ 60000 (string-to-number deadline)))))))

(defun elicit-form-over (question why)
  "Remove QUESTION, and say WHY unless that is nil."
  (setq elicit-questions (delq question elicit-questions))
  (when (buffer-live-p (elicit-question-buffer question))
    (let ((kill-buffer-query-functions nil))
      (dolist (window (get-buffer-window-list (elicit-question-buffer question) nil t))
        (quit-window nil window))
      (kill-buffer (elicit-question-buffer question))))
  (maphash (lambda (_ value) (when (stringp value) (clear-string value)))
           (if (seq-some (lambda (field) (elicit-get field "sensitive")) (elicit-form--fields question))
               (elicit-question-typed question) (make-hash-table)))
  (when why
    (message "elicit: %s: %s" (elicit-plain-line (elicit-form--get question "server")) (elicit-plain-line why))))

(provide 'elicit-form)
;;; elicit-form.el ends here
