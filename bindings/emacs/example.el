;;; example.el --- A client with forms  -*- lexical-binding: t; -*-

;; Starts an MCP server, calls a tool of it, and prints the result:
;;
;;   emacs -Q -l example.el --eval '(example "npx" "-y" "@modelcontextprotocol/server-everything")'
;;
;; A question of the server becomes a form.

;;; Code:

(require 'elicit)

(defun example (&rest command)
  "Run COMMAND, and call its tool trigger-elicitation-request."
  (let* (connection rest
         (server (make-process
                  :name "server" :command command :connection-type 'pipe :coding 'utf-8-unix
                  :filter (lambda (_ chunk)
                            (let ((lines (split-string (concat rest chunk) "\n")))
                              (setq rest (car (last lines)))
                              (dolist (line (butlast lines))
                                (elicit-receive connection 'server line))))))
         (say (lambda (id method params)
                (elicit-receive connection 'client
                                (json-serialize `((jsonrpc . "2.0") ,@(and id `((id . ,id)))
                                                  (method . ,method) (params . ,params)))))))
    (setq connection
          (elicit-connect
           "everything"
           (lambda (to message)
             (cond ((not message) (delete-process server))
                   ((eq to 'server) (process-send-string server (concat message "\n")))
                   ((string-search "\"id\":1" message)
                    (funcall say nil "notifications/initialized" #s(hash-table))
                    (funcall say 2 "tools/call" '((name . "trigger-elicitation-request"))))
                   ((string-search "\"id\":2" message) (message "%s" message))))))
    (funcall say 1 "initialize" '((protocolVersion . "2025-11-25") (capabilities . #s(hash-table))
                                  (clientInfo . ((name . "example") (version . "1")))))))
;;; example.el ends here
