;;; elicit-hostkit.el --- A host for elicit hostkit  -*- lexical-binding: t; -*-

;;; Commentary:

;; Runs scripts of `elicit hostkit' through the loop of elicit-engine.el.
;; internal/hostscript/host.go says what it reads and writes.  The streams
;; are descriptors 3 and 4, because a batch Emacs reads lines of text, and
;; writes to a process wait for 20 ms whenever its pipe is full.

;;; Code:

(require 'elicit-engine)

(defvar elicit-hostkit-connection nil "The connection of the script.")
(defvar elicit-hostkit-keeps 0 "How many records the journal still takes.")
(defvar elicit-hostkit-times nil "The times of the call, as members.")
(defvar elicit-hostkit-stream nil "The process that reads descriptor 3.")
(defvar elicit-hostkit-rest nil "Chunks that are not read yet, the latest first.")
(defvar elicit-hostkit-has 0 "The bytes of `elicit-hostkit-rest'.")
(defvar elicit-hostkit-needs 1 "The bytes with which the next call may be whole.")

(defun elicit-hostkit-write (item)
  "Write ITEM, which was performed."
  (let ((bytes (encode-coding-string item 'utf-8-unix)))
    (elicit-hostkit-print (concat (number-to-string (length bytes)) "\n" bytes "\n"))))

(defun elicit-hostkit-print (bytes)
  "Write BYTES to descriptor 4."
  (let ((coding-system-for-write 'binary) (file-name-handler-alist nil))
    (write-region bytes nil "/proc/self/fd/4" t 'silent)))

(defun elicit-hostkit-perform (name effect text)
  "Write TEXT, the EFFECT called NAME as the engine spelled it."
  (if (equal name "wait")
      (elicit-hostkit-print (format "wait %d\n" effect))
    (elicit-hostkit-write text)))

(defun elicit-hostkit-keep (record)
  "Keep RECORD, or begin another journal."
  (when (eql elicit-hostkit-keeps 0) (error "Disk full"))
  (setq elicit-hostkit-keeps (1- elicit-hostkit-keeps))
  (elicit-hostkit-write (if record (concat "append " record) "new_journal")))

(defun elicit-hostkit-run (kind numbers input)
  "Perform the call KIND with NUMBERS and INPUT."
  (pcase-let ((`(,elapsed ,at . ,keeps) (cdr (reverse numbers))))
    (setq elicit-hostkit-times `((at . ,at) (random . ,(make-string 64 ?0))
                                 ,@(and (>= elapsed 0) `((elapsed . ,elapsed)))))
    (pcase kind
      ((or "open" "alone")
       (setq elicit-hostkit-keeps (car keeps)
             elicit-hostkit-connection
             (elicit-connection--make
              :name "kit" :times (lambda () elicit-hostkit-times) :journal #'elicit-hostkit-keep
              :consult (and (equal kind "open") (lambda (_ text) (elicit-hostkit-write text)))
              :send (lambda (to message) (elicit-hostkit-write (format "%s %s" to message)))
              :perform #'elicit-hostkit-perform))
       (elicit-engine-open elicit-hostkit-connection input))
      ("close" (elicit-engine--end elicit-hostkit-connection))
      ("pass" (elicit-engine-turn elicit-hostkit-connection))
      ("event" (elicit-engine--input elicit-hostkit-connection "step" nil
                                     (subst-char-in-string ?\n ?\s (decode-coding-string input 'utf-8-unix))))
      (_ (elicit-engine-receive elicit-hostkit-connection (intern kind) input)))))

(defun elicit-hostkit-take (_ chunk)
  "Take a CHUNK of calls."
  (push chunk elicit-hostkit-rest)
  (setq elicit-hostkit-has (+ elicit-hostkit-has (length chunk)))
  (while (>= elicit-hostkit-has elicit-hostkit-needs)
    (let* ((text (apply #'concat (reverse elicit-hostkit-rest)))
           (end (string-search "\n" text))
           (words (and end (split-string (substring text 0 end))))
           (numbers (mapcar #'string-to-number (cdr words)))
           (whole (if end (+ 1 end (car (last numbers))) (1+ (length text)))))
      (if (< (length text) whole)
          (setq elicit-hostkit-needs whole)
        (setq elicit-hostkit-rest (list (substring text whole))
              elicit-hostkit-has (- (length text) whole)
              elicit-hostkit-needs 1)
        (elicit-hostkit-run (car words) numbers (substring text (1+ end) whole))))))

(defun elicit-hostkit-serve ()
  "Run scripts until the input ends."
  ;; The script opens with the exact text of its configuration.
  (advice-add 'elicit-engine--opening :override (lambda (_ relay) (decode-coding-string relay 'utf-8-unix)))
  (advice-add 'elicit-engine--wait :after
              (lambda (c _) (when (elicit-connection-timer c) (cancel-timer (elicit-connection-timer c)))))
  (setq warning-minimum-log-level :emergency
        read-process-output-max (ash 1 20)
        process-adaptive-read-buffering nil
        elicit-hostkit-stream (make-process :name "stream" :command '("sh" "-c" "cat <&3 4>&-")
                                             :connection-type 'pipe :coding 'binary :noquery t
                                             :filter #'elicit-hostkit-take))
  (while (process-live-p elicit-hostkit-stream)
    (accept-process-output nil 1)))

(provide 'elicit-hostkit)
;;; elicit-hostkit.el ends here
