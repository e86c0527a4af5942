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
  (let (connection)
    (cl-flet ((say (id method params)
                (elicit-receive connection 'client
                                (json-serialize `((jsonrpc . "2.0") ,@(and id `((id . ,id)))
                                                  (method . ,method) (params . ,params))))))
      (setq connection
            (elicit-connect-process
             (make-process
              :name "everything" :command command :connection-type 'pipe :coding 'utf-8-unix
              :stderr (get-buffer-create "*everything*")
              :filter (lambda (_ line)
                        (cond ((string-search "\"id\":1" line)
                               (say nil "notifications/initialized" #s(hash-table))
                               (say 2 "tools/call" '((name . "trigger-elicitation-request"))))
                              ((string-search "\"id\":2" line) (message "%s" line)))))))
      (say 1 "initialize" '((protocolVersion . "2025-11-25") (capabilities . #s(hash-table))
                            (clientInfo . ((name . "example") (version . "1"))))))))
;;; example.el ends here
