;;; elicit.el --- Questions of MCP servers and agents  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The Elicit authors
;; SPDX-License-Identifier: Apache-2.0

;; Author: The Elicit authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: comm, tools
;; URL: https://github.com/elicit-engine/elicit

;;; Commentary:

;; An MCP server, an agent or a tool may want to ask you something.  In
;; Emacs its question becomes a form of widgets, unless a policy answers it.
;; `M-x elicit' opens the question that waits longest, and `M-x elicit-log'
;; shows what was decided and why.  A client calls `elicit-connect' with
;; what it reads and writes, or `elicit-ask' for one question.

;;; Code:

(require 'browse-url)
(require 'elicit-form)

(defgroup elicit nil
  "Questions of servers and agents."
  :group 'comm :prefix "elicit-")

(defcustom elicit-config nil
  "Configuration of the engine as an alist, such as ((limits . ((queue . 4)))).
docs/reference/configuration.md lists its members."
  :type '(alist :key-type symbol))

(defcustom elicit-policy-file nil
  "The policy file of the person, or nil."
  :type '(choice (const nil) file))

(defcustom elicit-journal-directory (locate-user-emacs-file "elicit/")
  "The directory of the journals, or nil to keep none."
  :type '(choice (const nil) directory))

(defcustom elicit-display t
  "Whether a question shows its buffer at once.  No window is selected."
  :type 'boolean)

(defcustom elicit-browse-function #'browse-url-default-browser
  "The function that opens an agreed page, outside of Emacs."
  :type 'function)

(defvar elicit-connections nil "The open connections.")

;;;###autoload
(cl-defun elicit-connect (name send &key identity role ask session hold-calls protocol consult broken)
  "Open a connection between a client and the server called NAME.
SEND is called with `server' or `client' and each message for that end.
BROKEN is called with a reason if the connection ends by itself: then no
question of it is answered, so close both ends.  CONSULT gets the `consult'
of a guardian that is no module, and its text.  IDENTITY, ROLE, ASK,
SESSION, HOLD-CALLS and PROTOCOL are those of docs/reference/relay.md.
Give its messages to `elicit-receive', and end it with `elicit-close'."
  (let* ((config (append elicit-config
                         (when elicit-policy-file
                           `((policy . ((user_text . ,(with-temp-buffer
                                                        (insert-file-contents elicit-policy-file)
                                                        (buffer-string)))))))))
         (connection (elicit-connection--make :name name :send send :journal (elicit--journal)
                                               :consult consult)))
    (setf (elicit-connection-perform connection) (elicit--host connection config)
          (elicit-connection-broken connection)
          (lambda (why)
            (elicit--ended connection why)
            (display-warning 'elicit (elicit-plain (concat name ": " why)))
            (when broken (funcall broken why))))
    (elicit-engine-open
     connection
     `((server . ,name) (modes . ["form" "url"]) ,@(and config `((config . ,config)))
       ,@(cl-loop for (key . value) in `((identity . ,identity) (role . ,role) (ask . ,ask) (session . ,session)
                                         (hold_calls . ,hold-calls) (protocol . ,protocol))
                  when value collect (cons key value))))
    (push connection elicit-connections)
    connection))

;;;###autoload
(defun elicit-connect-process (process &rest options)
  "Open a connection between PROCESS, a server of lines, and its filter.
OPTIONS are keywords of `elicit-connect'.  The filter gets what is for the
client, in whole lines.  The client gives what it would send to PROCESS to
`elicit-receive', with the connection that this function returns."
  (let* ((filter (process-filter process))
         (connection (apply #'elicit-connect (process-name process)
                            (lambda (to message)
                              (cond ((not message) (delete-process process))
                                    ((eq to 'server) (process-send-string process (concat message "\n")))
                                    (t (funcall filter process (concat message "\n")))))
                            options)))
    (set-process-filter process (elicit-engine-lines (lambda (line) (elicit-receive connection 'server line))))
    (add-function :after (process-sentinel process)
                  (lambda (&rest _) (unless (process-live-p process) (elicit-close connection))))
    connection))

(defalias 'elicit-receive #'elicit-engine-receive)

(defun elicit-close (connection)
  "Settle the open questions of CONNECTION, and end it."
  (elicit-engine-close connection)
  (setq elicit-connections (delq connection elicit-connections)))

(defun elicit--ended (connection why)
  "Remove the questions of CONNECTION because of WHY."
  (setq elicit-connections (delq connection elicit-connections))
  (dolist (question elicit-questions)
    (when (eq (elicit-question-connection question) connection)
      (elicit-form-over question why))))

(defun elicit--journal ()
  "Return a function to keep a record, or to begin another journal for nil."
  (let (file)
    (lambda (record)
      (let ((coding-system-for-write 'utf-8-unix) (write-region-inhibit-fsync nil) (file-name-handler-alist nil)
            (write-region-annotate-functions nil) (create-lockfiles nil))
        (when (and elicit-journal-directory (not (and file record)))
          (with-file-modes #o700 (make-directory elicit-journal-directory t))
          (let ((name (make-temp-name (expand-file-name (format-time-string "%Y%m%dT%H%M%SZ-" nil t)
                                                        elicit-journal-directory))))
            (setq file (concat name ".jsonl"))
            (with-file-modes #o600 (write-region "" nil file nil 'silent nil 'excl))))
        (when (and file record)
          (write-region (concat record "\n") nil file t 'silent))))))

(defun elicit--host (connection config)
  "Return the function for the effects of CONNECTION.
CONFIG is the configuration of its engine."
  (let ((asked (make-hash-table :test 'equal)))
    (lambda (name effect text)
      (let* ((get (lambda (&rest path) (apply #'elicit-get effect path)))
             (question (seq-find (lambda (q) (equal (elicit-question-id q) (or (elicit-get effect "reply" "id")
                                                                               (elicit-get effect "id"))))
                                 elicit-questions)))
        (pcase name
          ("question" (puthash (funcall get "ref") effect asked))
          ("show"
           (unless question
             (let ((of (gethash (funcall get "ref") asked)))
               (elicit--arrive (elicit-question--make
                                :connection connection :id (funcall get "id") :show effect :config config
                                :schema (elicit-get of "schema_text") :link (elicit-get of "link"))
                               text))))
          ("settled"
           (remhash (funcall get "ref") asked)
           (elicit--settled question (funcall get "reply")))
          ("withdraw" (elicit--explain connection question (funcall get "cause")))
          ("open_url" (elicit--visit question (funcall get "url")))
          ("resolve" (when question (elicit-form-over question "the page is done")))
          ("extend"
           (when question
             (puthash "deadline" (funcall get "deadline") (elicit-question-show question))
             (elicit-form-draw question)))
          ("problem"
           (when (and question (equal (funcall get "about") "answer"))
             (clrhash (elicit-question-problems question))
             (elicit-form-refuse question (elicit-engine-member text "problems"))
             (when (string-match-p "_unconfirmed\"" text) (message "Accept again to send it all the same"))))
          ("note"
           (elicit-engine-eval
            connection "explain" (format "{\"problems\":%s}" (elicit-engine-member text "problems"))
            (lambda (out _)
              (message "elicit: %s: %s" (elicit-plain-line (elicit-connection-name connection))
                       (elicit-plain-line (string-join (elicit-get out "problems") "; "))))))
          ("close" (funcall (elicit-connection-send connection) (intern (funcall get "end")) nil)))))))

(defun elicit--arrive (question text)
  "Show QUESTION, whose effect is TEXT, or say that it waits."
  (setq elicit-questions (append elicit-questions (list question)))
  (elicit-engine-eval
   (elicit-question-connection question) "explain"
   (format "{\"warnings\":%s}" (or (elicit-engine-member text "findings") "[]"))
   (lambda (out _)
     (setf (elicit-question-findings question) (append (elicit-get out "warnings") nil))
     (when (memq question elicit-questions)
       (let ((buffer (elicit-form-draw question)))
         (when (and elicit-display (not (active-minibuffer-window)))
           (display-buffer buffer)
           (elicit-form--give question "noted" '(receipt . "shown"))))
       (message "elicit: %s asks (M-x elicit)" (elicit-plain-line (elicit-form--get question "server")))))))

(defun elicit--explain (connection question cause)
  "Remove QUESTION of CONNECTION, and say what CAUSE means."
  (when question
    (elicit-engine-eval connection "explain" (elicit-engine--text `((causes . [,cause])))
                        (lambda (out _) (elicit-form-over question (seq-first (elicit-get out "causes")))))))

(defun elicit--settled (question reply)
  "Remove QUESTION after REPLY, unless its page is still open."
  (when question
    (cond
     ((not (and (equal (elicit-form--get question "mode") "url") (equal (elicit-get reply "outcome") "accept")))
      (elicit-form-over question (and (not (equal (elicit-get reply "cause") "user")) "the question is over")))
     ((elicit-question-link question)
      (setf (elicit-question-awaiting question) t)
      (elicit-form-draw question)))))

(defun elicit--visit (question url)
  "Open URL, to which the person agreed in QUESTION."
  (if (string-match-p "\\`https?://[^[:cntrl:][:space:]\"'<>\\]+\\'" url)
      (funcall elicit-browse-function url)
    (message "elicit: this is no plain web address: %s" (elicit-plain-line url)))
  (when (and question (not (elicit-question-awaiting question)))
    (elicit-form-over question nil)))

;;;###autoload
(defun elicit ()
  "Open the question that waits longest."
  (interactive)
  (unless elicit-questions (user-error "Nobody asks anything"))
  (pop-to-buffer (elicit-form-draw (car elicit-questions)))
  (elicit-form--give (car elicit-questions) "noted" '(receipt . "focused")))

;;;###autoload
(defun elicit-log (file)
  "Show the decisions in the journal FILE, by default the latest."
  (interactive (list (read-file-name "Journal: " elicit-journal-directory
                                     (car (last (directory-files elicit-journal-directory t "\\.jsonl\\'"))) t)))
  (with-current-buffer (get-buffer-create "*elicit log*")
    (let ((inhibit-read-only t) (coding-system-for-read 'utf-8-unix))
      (erase-buffer)
      (call-process elicit-program nil t nil "log" (expand-file-name file)))
    (special-mode)
    (display-buffer (current-buffer))))

;;;###autoload
(defun elicit-ask (name params then)
  "Ask the person a question of the server NAME, and call THEN with the result.
PARAMS are those of elicitation/create, as JSON text or an object for
`json-serialize'.  The result is a plist with :action and maybe :content.
It cancels if the question has no answer.  Return a function that takes
the question back."
  (let* (connection
         (end (lambda (result)
                (when then
                  (funcall (prog1 then (setq then nil)) result)
                  (elicit-close connection)))))
    (setq connection
          (elicit-connect
           name (lambda (to message)
                  (when (and message (eq to 'server))
                    (funcall end (or (plist-get (json-parse-string message :object-type 'plist :null-object nil
                                                                   :false-object :json-false)
                                                :result)
                                     '(:action "cancel")))))
           :role "client" :session '((version . "2025-11-25") (declared . ["form" "url"]))
           :broken (lambda (_) (funcall end '(:action "cancel")))))
    (elicit-receive connection 'server
                    (format "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":%s}"
                            (if (stringp params) params (elicit-engine--text params))))
    (lambda () (funcall end '(:action "cancel")))))

(defun elicit--leave ()
  "Settle the open questions before Emacs ends."
  (let ((open elicit-connections))
    (mapc #'elicit-close open)
    (cl-loop repeat 20 while (seq-some (lambda (c) (not (elicit-connection-closed c))) open)
             do (accept-process-output nil 0.05))))

(add-hook 'kill-emacs-hook #'elicit--leave)

(provide 'elicit)
;;; elicit.el ends here
