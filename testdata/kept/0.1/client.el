;;; client.el --- A host in Emacs: a connection, a form, and one question  -*- lexical-binding: t; -*-
(require 'elicit)

(setq inhibit-message t
      elicit-journal-directory nil
      elicit-config '((policy . ((user . ((version . 1) (rules . [((name . "no-url") (when . ((mode . "url")))
                                                                   (then . "decline"))])))))))
(defvar sent nil "The messages that the server got, the latest first.")
(defvar result nil "The answer of the one question.")
(defvar schema "{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\",\"maximum\":30}}}")
(defun say (text &rest rest) (princ (concat (apply #'format text rest) "\n")))
(defun wait (done) (while (not (funcall done)) (accept-process-output nil 0.01)))
(defun shown () (ignore-errors (elicit) (string-search "Days" (buffer-string))))

(let* ((modes ["form" "url"])
       (connection (elicit-connect "backup" (lambda (to message) (push (list to message) sent)) :role "client"
                                   :session `((version . "2025-11-25") (declared . ,modes))))
       (ask (lambda (params)
              (elicit-receive connection 'server
                              (concat "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\","
                                      "\"params\":" params "}")))))
  (funcall ask "{\"mode\":\"url\",\"message\":\"Pay\",\"url\":\"https://shop.example/\",\"elicitationId\":\"p\"}")
  (wait (lambda () sent))
  (say "url: %s" (cadar sent))
  (funcall ask (format "{\"message\":\"Keep?\",\"requestedSchema\":%s}" schema))
  (wait #'shown)
  (re-search-forward "^Days")
  (widget-forward 1)
  (insert "7")
  (elicit-accept)
  (wait (lambda () (cdr sent)))
  (say "sent: %s" (cadar sent))
  (elicit-close connection))

(elicit-ask "backup" (format "{\"message\":\"Keep?\",\"requestedSchema\":%s}" schema)
            (lambda (answer) (setq result answer)))
(wait #'shown)
(elicit-decline)
(wait (lambda () result))
(say "asked: %s" (plist-get result :action))
