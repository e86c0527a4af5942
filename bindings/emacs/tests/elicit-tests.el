;;; elicit-tests.el --- Conversations and forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; `elicit --stdio' runs for real.  The server is a list of the messages
;; that it got, and the person presses widgets.

;;; Code:

(require 'ert)
(require 'elicit)

;; A function of C is replaced for calls from Lisp alone: nothing is compiled to native code, which needs a linker.
(dolist (name '(comp-enable-subr-trampolines native-comp-enable-subr-trampolines))
  (when (boundp name) (set name nil)))

(defvar elicit-tests-got nil "The messages that the server got, the latest first.")
(defvar elicit-tests-connection nil)

(defun elicit-tests-wait (done)
  "Wait until DONE returns non-nil, and return that."
  (with-timeout (20 (ert-fail "waited in vain"))
    (let (found)
      (while (not (setq found (funcall done))) (accept-process-output nil 0.01))
      found)))

(defmacro elicit-tests-with (relay &rest body)
  "Run BODY with a connection that has the members RELAY."
  (declare (indent 1))
  `(let* ((elicit-journal-directory (make-temp-file "elicit" t)) (elicit-questions nil) (elicit-tests-got nil)
          (inhibit-message t)
          (elicit-tests-connection
           (elicit-connect "backup" (lambda (to message) (push (format "%s %s" to message) elicit-tests-got))
                   ,@relay)))
     (unwind-protect (progn ,@body)
       (elicit-close elicit-tests-connection)
       (elicit-tests-wait (lambda () (elicit-connection-closed elicit-tests-connection)))
       (should-not elicit-questions))))

(defconst elicit-tests-session
  '(:role "client" :session '((version . "2025-11-25") (declared . ["form" "url"]))))

(defun elicit-tests-ask (params)
  "Let the server ask with PARAMS, JSON text, and return the question."
  (elicit-receive elicit-tests-connection 'server
                  (format "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":%s}"
                          (subst-char-in-string ?\n ?\s params)))
  (elicit-tests-wait (lambda () (and elicit-questions (buffer-live-p (elicit-question-buffer (car
          elicit-questions))))))
  (car elicit-questions))

(defun elicit-tests-form (properties &optional required)
  "Return the params of a form with PROPERTIES and the names REQUIRED."
  (format "{\"message\":\"Restore?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{%s},\"required\":[%s]}}"
          properties (or required "")))

(defun elicit-tests-answer ()
  "Return the result that the server got, as text."
  (elicit-tests-wait (lambda () (car elicit-tests-got)))
  (replace-regexp-in-string "\\`server {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\\(.*\\)}\\'" "\\1" (car
          elicit-tests-got)))

(defmacro elicit-tests-in (question &rest body)
  "Run BODY in the buffer of QUESTION, in a window."
  (declare (indent 1))
  `(save-window-excursion
     (switch-to-buffer (elicit-question-buffer ,question))
     ,@body))

(defun elicit-tests-type (label text)
  "Type TEXT into the field below LABEL."
  (goto-char (point-min))
  (re-search-forward (concat "^" label "\\( \\*\\)?$"))
  (widget-forward 1)
  (delete-region (point) (widget-field-end (widget-at)))
  (insert text))

(defun elicit-tests-press (label item)
  "Press the button before ITEM below LABEL, or ITEM itself."
  (goto-char (point-min))
  (re-search-forward (concat "^" label))
  (re-search-forward (concat "\\(?:[])] \\|\\[\\)" item))
  (widget-button-press (- (match-beginning 0) (if (eq (char-after (match-beginning 0)) ?\[) -1 1))))

(defun elicit-tests-problems ()
  "Return the problems that this buffer shows."
  (delq nil (mapcar (lambda (overlay) (let ((text (overlay-get overlay 'after-string)))
                                        (and text (substring-no-properties text))))
                    (overlays-in (point-min) (1+ (point-max))))))

(defmacro elicit-tests-session (&rest body)
  "Run BODY with a connection of a client that passes on questions."
  (declare (indent 0))
  `(elicit-tests-with ,elicit-tests-session ,@body))

(ert-deftest elicit-every-kind-of-field ()
  (elicit-tests-session
    (let ((question
           (elicit-tests-ask
            (elicit-tests-form
             "\"size\":{\"type\":\"number\"},\"many\":{\"type\":\"integer\",\"default\":12345678901234567890},
              \"day\":{\"type\":\"string\",\"format\":\"date\"},\"why\":{\"type\":\"string\",\"maxLength\":5000},
              \"sure\":{\"type\":\"boolean\"},\"tier\":{\"type\":\"string\",\"enum\":[\"hot\",\"cold\"],\
\"default\":\"hot\"},
              \"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"x\",\"y\",\"z\"]}},
              \"token\":{\"type\":\"string\"}" "\"size\",\"sure\""))))
      (elicit-tests-in question
        (elicit-tests-type "Size" "12.50")
        (elicit-tests-type "Day" "2026-11-28")
        (elicit-tests-type "Why" "two\nlines ü %s")
        (elicit-tests-press "Sure" "no")
        (elicit-tests-press "Tier" "cold")
        (elicit-tests-press "Tags" "z")
        (elicit-tests-press "Tags" "x")
        (cl-letf (((symbol-function 'read-passwd) (lambda (&rest _) (copy-sequence "s3cret"))))
          (elicit-tests-press "Token" "type"))
        (should (string-search "••••••" (buffer-string)))
        (should-not (string-search "s3cret" (buffer-string)))
        (elicit-accept)
        (elicit-tests-wait (lambda () (or elicit-tests-got (elicit-tests-problems))))
        (unless elicit-tests-got (elicit-accept))) ; a typed secret needs a second yes
      (should (equal (elicit-tests-answer)
                     (concat "{\"action\":\"accept\",\"content\":{\"size\":12.50,\"many\":12345678901234567890,"
                             "\"day\":\"2026-11-28\",\"why\":\"two\\nlines ü %s\",\"sure\":false,\"tier\":\"cold\","
                             "\"tags\":[\"x\",\"z\"],\"token\":\"s3cret\"}}"))))))

(ert-deftest elicit-wrong-values-are-marked-while-they-are-typed ()
  (elicit-tests-session
    (let ((question (elicit-tests-ask (elicit-tests-form "\"size\":{\"type\":\"number\"},\
\"name\":{\"type\":\"string\"}" "\"name\""))))
      (elicit-tests-in question
        (elicit-tests-type "Size" "12x")
        (should (equal (length (elicit-tests-wait #'elicit-tests-problems)) 1)) ; the empty name is not touched yet
        (elicit-accept)
        (elicit-tests-wait (lambda () (= (length (elicit-tests-problems)) 2)))
        (should-not elicit-tests-got)
        (elicit-tests-type "Size" "1e30")
        (elicit-tests-type "Name" "a")
        (elicit-accept))
      (should (equal (elicit-tests-answer) "{\"action\":\"accept\",\"content\":{\"size\":1e30,\"name\":\"a\"}}")))))

(ert-deftest elicit-emptied-default-stays-empty ()
  (elicit-tests-session
    (elicit-tests-in (elicit-tests-ask (elicit-tests-form "\"name\":{\"type\":\"string\",\"default\":\"eu\"}"))
      (elicit-tests-type "Name" "")
      (elicit-accept))
    (should (equal (elicit-tests-answer) "{\"action\":\"accept\",\"content\":{}}"))))

(ert-deftest elicit-decline-cancel-and-kept-text ()
  (dolist (case '(("Decline" . "decline") ("Cancel" . "cancel")))
    (elicit-tests-session
      (let ((question (elicit-tests-ask (elicit-tests-form "\"name\":{\"type\":\"string\"}"))))
        (elicit-tests-in question (elicit-tests-type "Name" "typed"))
        (kill-buffer (elicit-question-buffer question)) ; later
        (save-window-excursion
          (elicit)
          (should (string-search "typed" (buffer-string)))
          (elicit-tests-press "" (car case)))
        (should (equal (elicit-tests-answer) (format "{\"action\":\"%s\"}" (cdr case))))))))

(ert-deftest elicit-link-shows-the-whole-address-before-it-opens ()
  (elicit-tests-session
    (let* (opened (elicit-browse-function (lambda (url) (setq opened url)))
           (url "https://example.com:8443/a/b?c=%25s&d=e#f")
           (question (elicit-tests-ask (format "{\"mode\":\"url\",\"elicitationId\":\"e1\",\
\"message\":\"Sign in\",\"url\":\"%s\"}" url))))
      (elicit-tests-in question
        (should (string-search (concat "  " url "\n") (buffer-string)))
        (goto-char (point-min))
        (search-forward "example.com")
        (should (eq (get-text-property (1- (point)) 'face) 'bold))
        (should-not opened)
        (elicit-tests-press "" "Open the page"))
      (should (equal (elicit-tests-answer) "{\"action\":\"accept\"}"))
      (should (equal (elicit-tests-wait (lambda () opened)) url))
      (elicit-receive elicit-tests-connection 'server
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/elicitation/complete\",\
\"params\":{\"elicitationId\":\"e1\"}}")
      (elicit-tests-wait (lambda () (null elicit-questions))))))

(ert-deftest elicit-opens-nothing-but-web-addresses ()
  (let (opened (elicit-browse-function (lambda (url) (push url opened))) (inhibit-message t))
    (dolist (url '("javascript:1" "file:///etc/passwd" "https://a b" "https://a\"b" "https://a\nb" "https://a'b"
            "mailto:x"))
      (elicit--visit nil url))
    (should-not opened)))

(defconst elicit-tests-hostile
  (concat "50% %s %d %[%v%] \\\\[kill-emacs] `x' a\\u202eb\\u0007\\u001b[2J\\r\\u200b"
          "\\n-*- eval: (setq elicit-tests-ran t) -*-\\n\
;; Local Variables:\\n;; eval: (setq elicit-tests-ran t)\\n;; End:"))
(defvar elicit-tests-ran nil)

(ert-deftest elicit-hostile-text-is-only-text ()
  (elicit-tests-session
    (let ((question (elicit-tests-ask
                     (replace-regexp-in-string
                      "EVIL" elicit-tests-hostile
                      "{\"message\":\"EVIL\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{
                       \"a\":{\"type\":\"string\",\"title\":\"EVIL\",\"description\":\"EVIL\",\
\"default\":\"x\\u202ey\"},
                       \"%s\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"EVIL\",\"title\":\"EVIL\"},\
{\"const\":\"b\",\"title\":\"b\"}]}}}}"
                      t t))))
      (elicit-tests-in question
        (let ((text (buffer-string)))
          (should (string-search "50% %s %d %[%v%] \\[kill-emacs] `x' a<U+202E>b\
<U+0007><U+001B>[2J<U+000D><U+200B>" text))
          (should (string-search "default: x<U+202E>y" text))
          (seq-doseq (char text)
            (should-not (and (/= char ?\n) (aref elicit-plain--invisible char)))))
        (hack-local-variables)
        (should-not elicit-tests-ran)
        (should-not buffer-file-name)
        (elicit-tests-press "%s" "50%")
        (elicit-accept))
      (should (string-search "\"%s\":\"50% %s" (elicit-tests-answer)))
      (should (string-search "\"a\":\"x\u202ey\"" (elicit-tests-answer))))))

(ert-deftest elicit-huge-form ()
  (elicit-tests-session
    (let* ((choices (mapconcat (lambda (n) (format "\"c,%d\"" n)) (number-sequence 1 900) ","))
           (fields (mapconcat (lambda (n) (format "\"f%d\":{\"type\":\"string\",\"default\":\"d%d\"}" n n))
                   (number-sequence 1 98) ","))
           (question (elicit-tests-ask
                      (elicit-tests-form
                       (format "%s,\"one\":{\"type\":\"string\",\"enum\":[%s]},\"some\":{\"type\":\"array\",\
\"items\":{\"type\":\"string\",\"enum\":[%s]}}"
                               fields choices choices)))))
      (elicit-tests-in question
        (let (picks)
          (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (or (pop picks) ""))))
            (setq picks '("900. c,900"))
            (elicit-tests-press "One" "choose")
            (setq picks '("2. c,2" "7. c,7" "2. c,2" ""))
            (elicit-tests-press "Some" "choose")))
        (elicit-tests-type "F98" "end")
        (elicit-accept))
      (should (string-search "\"f98\":\"end\",\"one\":\"c,900\",\"some\":[\"c,7\"]" (elicit-tests-answer))))))

(ert-deftest elicit-a-yes-needs-the-whole-message ()
  (elicit-tests-session
    (let ((question (elicit-tests-ask (format "{\"message\":\"%s\",\"requestedSchema\":{\"type\":\"object\",\
\"properties\":{}}}"
                                              (mapconcat #'number-to-string (number-sequence 1 300) "\\n")))))
      (elicit-tests-in question
        (let ((start (point-max)))
          ;; A batch Emacs has no screen: this one shows 100 characters.
          (cl-letf (((symbol-function 'window-start) (lambda (&rest _) start))
                    ((symbol-function 'window-end) (lambda (&rest _) (min (point-max) (+ start 100))))
                    ((symbol-function 'recenter) #'ignore))
            (setf (elicit-question-seen question) 1)
            (elicit-accept) ; by a person who skips to the end
            (should-not (elicit-question-tried question))
            (setq start 1)
            (while (< (elicit-question-seen question) (elicit-question-end question))
              (if (>= (+ start 100) (elicit-question-end question)) (elicit-form--look)
                (elicit-accept)
                (should-not (elicit-question-tried question)))
              (setq start (elicit-question-seen question)))
            (elicit-accept))))
      (should (equal (elicit-tests-answer) "{\"action\":\"accept\",\"content\":{}}")))))

(ert-deftest elicit-a-whole-connection-passes-other-messages ()
  (elicit-tests-with nil
    (let ((call "{\"jsonrpc\":\"2.0\", \"id\":1,\"method\":\"initialize\",\
\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\
\"version\":\"1\"}}}")
          (odd "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"t\":\"ü\\u0000\\ud83d\", \"n\":1.00}}"))
      (elicit-receive elicit-tests-connection 'client call)
      (elicit-tests-wait (lambda () elicit-tests-got))
      (should (string-match-p "\\`server .*\"elicitation\":{" (car elicit-tests-got)))
      (elicit-receive elicit-tests-connection 'server (encode-coding-string odd 'utf-8))
      (elicit-receive elicit-tests-connection 'server "{\"a\":\"\xff\"}")
      (elicit-tests-wait (lambda () (cdr elicit-tests-got)))
      (should (equal (car elicit-tests-got) (concat "client " odd))))))

(ert-deftest elicit-the-server-takes-a-question-back ()
  (elicit-tests-session
    (let ((buffer (elicit-question-buffer (elicit-tests-ask (elicit-tests-form "\"a\":{\"type\":\"string\"}")))))
      (elicit-receive elicit-tests-connection 'server
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}")
      (elicit-tests-wait (lambda () (not (buffer-live-p buffer))))
      (should-not elicit-questions))))

(ert-deftest elicit-the-engine-dies-in-the-middle ()
  (let* (why)
    (elicit-tests-with (:role "client" :session '((version . "2025-11-25") (declared . ["form"]))
                              :broken (lambda (reason) (setq why reason)))
      (let ((buffer (elicit-question-buffer (elicit-tests-ask (elicit-tests-form "\"a\":{\"type\":\"string\"}")))))
        (kill-process (elicit-connection-process elicit-tests-connection))
        (elicit-tests-wait (lambda () why))
        (should-not elicit-questions)
        (should-not (buffer-live-p buffer))
        (elicit-receive elicit-tests-connection 'server "{}")
        (should-not elicit-tests-got)))))

(ert-deftest elicit-a-journal-that-fails-answers-with-an-error ()
  (elicit-tests-session
    (elicit-tests-ask (elicit-tests-form "\"a\":{\"type\":\"string\"}"))
    (setf (elicit-connection-journal elicit-tests-connection) (lambda (_) (error "Disk full")))
    (cl-letf (((symbol-function 'display-warning) #'ignore))
      (elicit-tests-in (car elicit-questions) (elicit-decline))
      (elicit-tests-wait (lambda () elicit-tests-got)))
    (should (string-match-p "\\`server {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":" (car elicit-tests-got)))))

(ert-deftest elicit-journal-can-be-verified ()
  (let (directory)
    (elicit-tests-session
      (setq directory elicit-journal-directory)
      (elicit-tests-in (elicit-tests-ask (elicit-tests-form "\"n\":{\"type\":\"number\",\"default\":1.0}"))
              (elicit-accept))
      (elicit-tests-answer))
    (let ((file (car (directory-files directory t "jsonl\\'"))))
      (should (= (file-modes file) #o600))
      (should (equal 0 (call-process elicit-program nil nil nil "log" "--verify" file)))
      (save-window-excursion (elicit-log file))
      (with-current-buffer "*elicit log*" (should (string-search "accept" (buffer-string)))))))

(ert-deftest elicit-policy-answers-without-a-form ()
  (let ((elicit-policy-file (make-temp-file "policy" nil ".json" "{\"version\":1,\"rules\":[{\"name\":\"no\",\
\"when\":{},\"then\":\"decline\"}]}")))
    (elicit-tests-session
      (elicit-receive elicit-tests-connection 'server
                      (format "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":%s}"
                              (elicit-tests-form "\"a\":{\"type\":\"string\"}")))
      (should (equal (elicit-tests-answer) "{\"action\":\"decline\"}")))))

(ert-deftest elicit-ask-answers-once ()
  (let ((elicit-journal-directory nil) (inhibit-message t) (results nil))
    (let ((back (elicit-ask "agent" '((message . "Go on?") (requestedSchema . ((type . "object") (properties .
            #s(hash-table)))))
                            (lambda (result) (push result results)))))
      (elicit-tests-wait (lambda () elicit-questions))
      (funcall back)
      (funcall back))
    (elicit-ask "agent" "{\"message\":\"Go?\",\"requestedSchema\":7}" (lambda (result) (push result results)))
    (elicit-tests-wait (lambda () (= (length results) 2)))
    (should (equal results '((:action "cancel") (:action "cancel"))))
    (elicit-tests-wait (lambda () (null elicit-questions)))))

(ert-deftest elicit-between-a-process-and-its-filter ()
  (let* ((got nil) (sent nil) (elicit-journal-directory nil) (send (symbol-function 'process-send-string))
         (note "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n")
         (server (make-pipe-process :name "server" :noquery t :filter (lambda (_ text) (push text got))))
         (connection (elicit-connect-process server)))
    (cl-letf (((symbol-function 'process-send-string)
               (lambda (process text) (if (eq process server) (push text sent) (funcall send process text)))))
      (elicit-receive connection 'client (string-trim note))
      (seq-doseq (char note) (funcall (process-filter server) server (string char)))
      (elicit-tests-wait (lambda () (and got sent))))
    (should (equal (list got sent) (list (list note) (list note))))
    (delete-process server)
    (elicit-tests-wait (lambda () (elicit-connection-closed connection)))
    (should-not (memq connection elicit-connections))))

(ert-deftest elicit-answers-in-pieces ()
  "The answers of the engine may come in any pieces."
  (let* ((got nil) (connection (elicit-connection--make :name "x"))
         (text "{\"id\":\"1\",\"status\":\"ok\",\"output\":{\"n\":-1.50e+3,\"s\":\"4\\\"5\\\\\"}}\n"))
    (puthash "1" (lambda (answer line) (setq got (list (elicit-get answer "output" "n") (elicit-get answer
            "output" "s")
                                                       (elicit-engine-member line "output"))))
             (elicit-connection-calls connection))
    (let ((filter (elicit-engine-lines (lambda (line) (elicit-engine--take connection line)))))
      (seq-doseq (char text) (funcall filter nil (string char))))
    (should (equal got '("-1.50e+3" "4\"5\\" "{\"n\":-1.50e+3,\"s\":\"4\\\"5\\\\\"}")))))

(provide 'elicit-tests)
;;; elicit-tests.el ends here
