;;; elicit-engine.el --- The engine as a process  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The Elicit authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Runs `elicit --stdio' and performs the effects of one connection in
;; their order.  The engine has the loop of a host in it: each "next"
;; gives one effect, or how long nothing is due.

;;; Code:

(require 'cl-lib)

(defcustom elicit-program "elicit"
  "The program of Elicit."
  :type 'file :group 'elicit)

(cl-defstruct (elicit-connection (:constructor elicit-connection--make))
  "A connection to the engine.  SEND, JOURNAL, PERFORM and BROKEN are functions.
CONSULT, if any, begins to ask the guardian of an effect and its text.
TIMES returns members of \"next\"."
  name process handle send journal perform consult broken times
  (calls (make-hash-table :test 'equal)) (last 0)
  state again timer closed)

(defun elicit-get (object &rest names)
  "Return the member of OBJECT at the path NAMES, or nil."
  (while (and names object)
    (setq object (and (hash-table-p object) (gethash (pop names) object))))
  object)

(defun elicit-json (object)
  "Return OBJECT as JSON, with nil for null."
  (json-serialize object :null-object nil :false-object :false))

(defun elicit-engine--read (text)
  "Return the JSON of TEXT, with numbers as texts in their spelling."
  ;; These answers may be long, and they have no number.
  (unless (string-match-p (concat "\\`{\"id\":\"[0-9]+\",\"status\":\"ok\",\"output\":{\"effect\":"
                                  "\"\\(?:forward\\|send\\|append\\)\"")
                          text)
    (setq text (elicit-engine--quote text)))
  (json-parse-string text :null-object nil :false-object :false))

(defun elicit-engine--quote (json)
  "Return the text JSON with its numbers in quotes."
  (with-temp-buffer
    (insert json)
    (goto-char (point-min))
    (while (re-search-forward "[-\"0-9]" nil t)
      (if (eq (char-before) ?\")
          (while (progn (skip-chars-forward "^\"\\\\")
                        (prog1 (eq (char-after) ?\\)
                          (forward-char (if (eq (char-after) ?\\) 2 1)))))
        (goto-char (1- (point)))
        (insert ?\")
        (skip-chars-forward "-+.eE0-9")
        (insert ?\")))
    (buffer-string)))

(defconst elicit-engine--syntax
  (let ((table (make-syntax-table)))
    (dolist (char '(?. ?+ ?-) table)
      (modify-syntax-entry char "_" table)))
  "The syntax of JSON.")

(defun elicit-engine-member (json name)
  "Return the exact text of the member NAME of the object JSON, or nil."
  (with-temp-buffer
    (set-syntax-table elicit-engine--syntax)
    (insert json)
    (goto-char (point-min))
    (let (found)
      (while (and (not found) (looking-at-p "[{,][[:space:]]*\""))
        (forward-char)
        (let* ((next (lambda () (let ((from (point)))
                                  (forward-sexp)
                                  (string-trim (buffer-substring-no-properties from (point))))))
               (key (funcall next)))
          (skip-chars-forward ":[:space:]")
          (let ((value (funcall next)))
            (when (equal key (concat "\"" name "\"")) (setq found value)))
          (skip-chars-forward "[:space:]")))
      found)))

(defun elicit-engine-call (connection op members input then)
  "Perform OP in the process of CONNECTION.
MEMBERS is an alist, INPUT a JSON text or nil.  Call THEN with the answer
and its line."
  (let* ((id (number-to-string (cl-incf (elicit-connection-last connection))))
         (line (substring (elicit-json `((id . ,id) (op . ,op) ,@members)) 0 -1)))
    (puthash id then (elicit-connection-calls connection))
    (process-send-string (elicit-connection-process connection)
                         (concat line (and input ",\"input\":")
                                 (and input (encode-coding-string input 'utf-8-unix)) "}\n"))))

(defun elicit-engine-eval (connection op input then)
  "Perform the stateless OP on the JSON text INPUT by CONNECTION.
Call THEN with the output, and with its text."
  (unless (elicit-connection-closed connection)
    (elicit-engine-call connection op nil input
                        (lambda (answer line)
                          (funcall then (elicit-get answer "output") (elicit-engine-member line "output"))))))

(defun elicit-engine-lines (take)
  "Return a process filter to call TAKE with each whole line."
  (let (chunks)
    (lambda (_ chunk)
      (push chunk chunks)
      (when (string-search "\n" chunk)
        (let ((lines (split-string (apply #'concat (nreverse chunks)) "\n")))
          (setq chunks (last lines))
          (mapc take (butlast lines)))))))

(defun elicit-engine--take (connection line)
  "Take an answer of CONNECTION, a LINE of its process."
  (condition-case err
      (let* ((answer (elicit-engine--read line))
             (id (elicit-get answer "id"))
             (then (gethash id (elicit-connection-calls connection))))
        (remhash id (elicit-connection-calls connection))
        (when then (funcall then answer line)))
    (error (elicit-engine--break connection (error-message-string err)))))

(defun elicit-engine--break (connection why)
  "End CONNECTION because of WHY, unless it has ended."
  (unless (elicit-connection-closed connection)
    (elicit-engine--end connection)
    (when (elicit-connection-broken connection)
      (funcall (elicit-connection-broken connection) why))))

(defun elicit-engine--end (connection)
  "Stop the timer and the process of CONNECTION."
  (setf (elicit-connection-closed connection) t)
  (when (elicit-connection-timer connection)
    (cancel-timer (elicit-connection-timer connection)))
  (clrhash (elicit-connection-calls connection))
  (delete-process (elicit-connection-process connection)))

(defun elicit-engine--times (connection)
  "Return the times and random bytes of CONNECTION as members, if it has its own."
  (when (elicit-connection-times connection)
    (funcall (elicit-connection-times connection))))

(defun elicit-engine--opening (connection relay)
  "Return the text that opens CONNECTION with RELAY."
  (elicit-engine--text `((relay . ,relay) (pull . t) ,@(elicit-engine--times connection))))

(defun elicit-engine-open (connection relay)
  "Start the program for CONNECTION and open RELAY, a JSON object."
  (let* ((default-directory (expand-file-name "~/"))
         (process-adaptive-read-buffering nil)
         (name (concat "elicit " (elicit-connection-name connection)))
         (errors (make-pipe-process :name name :noquery t :sentinel #'ignore :filter #'ignore)))
    (setf (elicit-connection-process connection)
          (make-process ; without a program this is an error
           :name name :command (list elicit-program "--stdio") :noquery t :connection-type 'pipe
           :coding '(utf-8-unix . binary) :stderr errors
           :filter (elicit-engine-lines (lambda (line) (elicit-engine--take connection line)))
           :sentinel (lambda (_ event)
                       (delete-process errors)
                       (elicit-engine--break connection (concat "the engine ended: " (string-trim event))))))
    (setf (elicit-connection-state connection) 'opening)
    (elicit-engine-call
     connection "open" nil (elicit-engine--opening connection relay)
     (lambda (answer line)
       (if (not (equal (elicit-get answer "status") "ok"))
           (elicit-engine--break connection line)
         (setf (elicit-connection-handle connection) (elicit-get answer "handle")
               (elicit-connection-state connection) nil)
         (mapc #'funcall (nreverse (elicit-connection-again connection)))
         (elicit-engine-turn connection))))))

(defun elicit-engine--text (object)
  "Return OBJECT as JSON text."
  (decode-coding-string (elicit-json object) 'utf-8-unix))

(defun elicit-engine--input (connection op members &optional input)
  "Give CONNECTION an input by OP with MEMBERS and the text INPUT."
  (cond
   ((elicit-connection-closed connection))
   ((eq (elicit-connection-state connection) 'opening)
    (push (lambda () (elicit-engine--input connection op members input)) (elicit-connection-again connection)))
   (t (elicit-engine-call connection op `((handle . ,(elicit-connection-handle connection)) ,@members) input
                          (lambda (answer line)
                            (unless (equal (elicit-get answer "status") "ok")
                              (display-warning 'elicit (concat "an input was refused: " line)))))
      (elicit-engine-turn connection))))

(defun elicit-engine-give (connection event)
  "Give CONNECTION an EVENT, a JSON object."
  (elicit-engine--input connection "step" nil (elicit-engine--text `((event . ,event)))))

(defun elicit-engine-receive (connection from message)
  "Give CONNECTION a MESSAGE that came FROM `client' or `server'.
The message has no line end.  Bytes that are not UTF-8 come in a unibyte string."
  (elicit-engine--input
   connection (symbol-name from)
   (if (not (string-match-p "[^[:ascii:]]" message))
       `((message . ,message))
     (let ((bytes (if (multibyte-string-p message) (encode-coding-string message 'utf-8-unix t) message)))
       `((message_base64 . ,(base64-encode-string bytes t)))))))

(defun elicit-engine-turn (connection)
  "Perform the effects of CONNECTION until nothing is due."
  (unless (elicit-connection-closed connection)
    (if (elicit-connection-state connection)
        (setf (elicit-connection-again connection) t)
      (setf (elicit-connection-state connection) 'busy)
      (elicit-engine--next connection nil))))

(defun elicit-engine--next (connection failed)
  "Take the next effect of CONNECTION.  FAILED is whether the last one was."
  (setf (elicit-connection-again connection) nil)
  (elicit-engine-call
   connection "next" `((handle . ,(elicit-connection-handle connection)))
   (elicit-engine--text `((failed . ,(if failed t :false)) ,@(elicit-engine--times connection)))
   (lambda (answer line)
     (let* ((effect (elicit-get answer "output")) (wait (elicit-get effect "wait")))
       (cond
        ((not (equal (elicit-get answer "status") "ok")) (elicit-engine--break connection line))
        ((not wait) (elicit-engine--next connection (not (elicit-engine--perform connection answer line))))
        (t (setf (elicit-connection-state connection) nil)
           (if (elicit-connection-again connection)
               (elicit-engine-turn connection)
             (elicit-engine--wait connection (string-to-number wait)))))))))

(defun elicit-engine--perform (connection answer line)
  "Perform the effect of CONNECTION in ANSWER, which came as LINE.
Return nil if it could not be done."
  (let* ((effect (elicit-get answer "output"))
         (text (elicit-get answer "text"))
         (name (elicit-get effect "effect")))
    (condition-case err
        (pcase name
          ((or "forward" "send") (funcall (elicit-connection-send connection) (intern (elicit-get effect "to")) text) t)
          ((or "append" "new_journal") (funcall (elicit-connection-journal connection) text) t)
          ("consult" (when-let ((consult (elicit-connection-consult connection))) ; else the guardian fails
                       (funcall consult effect (elicit-engine-member line "output"))
                       t))
          (_ (funcall (elicit-connection-perform connection) name effect
                      (elicit-engine-member line "output"))
             t))
      (error (display-warning 'elicit (error-message-string err))
             (not (member name '("append" "new_journal" "consult")))))))

(defun elicit-engine--wait (connection milliseconds)
  "Set the timer of CONNECTION to MILLISECONDS, or end it if it closes."
  (when (elicit-connection-timer connection)
    (cancel-timer (elicit-connection-timer connection)))
  (funcall (elicit-connection-perform connection) "wait" milliseconds nil)
  (setf (elicit-connection-timer connection)
        (and (>= milliseconds 0) (not (elicit-connection-closed connection))
             (run-at-time (/ (max milliseconds 1) 1000.0) nil #'elicit-engine-turn connection))))

(defun elicit-engine-close (connection)
  "Settle the open questions of CONNECTION, and end it."
  (let ((perform (elicit-connection-perform connection)))
    (setf (elicit-connection-perform connection)
          (lambda (name effect text)
            (if (equal name "wait") (elicit-engine--end connection) (funcall perform name effect text)))))
  (elicit-engine-give connection '((event . "ended") (end . "host"))))

(provide 'elicit-engine)
;;; elicit-engine.el ends here
