// Written by scripts/codes.mjs from the module's own description.

/** The statuses of a call, by number. */
export const statuses = [
  "ok", "invalid", "unknown_handle", "too_large", "conflict", "internal",
] as const;
export type Status = (typeof statuses)[number];

/** The stateless operations, by number. */
export const operationNames = [
  "check", "coerce", "compile", "decide", "decode", "encode", "inspect", "lint", "parse", "replay", "run", "simulate",
  "explain", "consult", "relay", "seal", "unseal", "asking", "decode_interrupts", "answer_interrupts", "decode_hook",
  "encode_hook", "decode_codex", "encode_codex",
] as const;
export type OperationName = (typeof operationNames)[number];

/** Every event. */
export const eventNames = [
  "configured", "opened", "asked", "answered", "completed", "called", "cancelled", "closed", "resumed", "noted",
  "drafted", "extended", "preferred", "revoked", "unmuted", "forgotten", "ticked", "consulted",
] as const;
export type EventName = (typeof eventNames)[number];

/** Every effect. */
export const effectNames = [
  "append", "show", "withdraw", "reply", "open_url", "resolve", "remember", "extend", "pause", "wake", "problem",
  "consult",
] as const;
export type EffectName = (typeof effectNames)[number];

/** The kinds of input that a problem effect can be about. */
export const abouts = [
  "question", "answer", "session", "guardian", "configuration", "host",
] as const;
export type About = (typeof abouts)[number];

/** The protocol dates that `decode` and `encode` support. */
export const protocols = [
  "mcp 2025-06-18", "mcp 2025-11-25", "mcp 2026-07-28",
] as const;
export type Protocol = (typeof protocols)[number];

/** The actions of a person. */
export const actions = [
  "accept", "decline", "cancel",
] as const;
export type Action = (typeof actions)[number];

/** The outcomes of a request. */
export const outcomes = [
  "accept", "decline", "cancel", "error",
] as const;
export type Outcome = (typeof outcomes)[number];

/** The causes that settle a request. */
export const causes = [
  "user", "policy", "guardian", "rate_limited", "invalid_request", "unsupported", "timeout", "superseded",
  "peer_cancelled", "call_ended", "session_closed", "no_ui", "duplicate", "shutdown", "attempts_used", "peer_error",
  "handed_over", "no_answer", "left_open",
] as const;
export type Cause = (typeof causes)[number];

/** Every code of a problem. */
export const problemCodes = [
  "abi_ambiguous", "abi_missing", "acp_only", "already_expired", "already_settled", "always_lowered", "always_unfit",
  "ambiguous_choice", "another_needs_form", "answer_again", "answer_in_review", "answer_missing",
  "answer_not_offered", "answer_unasked", "answer_unfit", "answer_unread", "answer_without_id", "answers_missing",
  "arguments_refused", "bad_format", "bad_glob", "bad_input", "bad_manifest_section", "bad_reads_pointer",
  "body_too_large", "bom_removed", "bound_rounded", "call_not_accepted", "call_running", "call_unnamed",
  "call_without_id", "candidates_and_tool", "case_unfit", "chain_initialize", "chain_nested", "choice_repeated",
  "client_error", "client_given_up", "client_no_answer", "client_refused", "config_refused", "conflict",
  "conflicting_keywords", "consult_over", "content_without_accept", "contradictory_bounds", "control_character",
  "cyclic_ref", "data_document_too_large", "data_too_large", "data_undeclared", "default_null",
  "default_without_offset", "deprecated_member", "digit_separator", "draft_option", "draft_unreadable",
  "duplicate_choice", "duplicate_required", "edit_not_taken", "either_only", "elicitation_unsupported", "empty_name",
  "empty_value", "engine_refused", "engine_replaced", "envelope_ambiguous", "envelope_batch", "envelope_batch_size",
  "envelope_code", "envelope_empty", "envelope_error", "envelope_id", "envelope_method", "envelope_not_object",
  "envelope_params", "envelope_version", "event_unfit", "external_ref", "finding_code", "flood_limited", "forked",
  "free_array", "grant_unreadable", "guardian_data_missing", "guardian_data_undeclared", "guardian_data_unheld",
  "guardian_declared_wrong", "guardian_digest", "guardian_name", "guardian_nobody_runs", "guardian_redaction",
  "guardian_refused", "guardian_settings", "guardian_settings_unread", "guardian_twice", "guardian_unconfirmed",
  "guardian_undeclared", "guardian_wasi", "hold_unfit", "hook_server_is_host", "hook_tool_unclear",
  "hook_unknown_event", "hook_unknown_host", "host_closed", "ignored_beside_ref", "import_refused", "input_key_empty",
  "input_not_allowed", "input_not_in_result", "input_not_named", "input_required_empty", "internal",
  "interrupt_answered", "interrupt_arguments", "invalid_module", "is_a_command", "journal_cut", "journal_diverged",
  "journal_edited", "journal_failed", "journal_gap", "journal_unchained", "journal_unreadable", "journal_version",
  "json_bom", "json_control", "json_depth", "json_duplicate_key", "json_empty", "json_members", "json_number",
  "json_size", "json_surrogate", "json_syntax", "json_trailing", "json_truncated", "json_utf8", "key_lookalike",
  "key_prototype", "limit_out_of_range", "link_conflict", "link_used", "long_ref_chain", "malformed_module",
  "managed_by_machine", "manifest_data", "manifest_missing", "manifest_version", "mcp_only", "memory_too_large",
  "message_line_break", "message_too_long", "missing", "missing_export", "missing_keyword", "missing_offset",
  "mode_undeclared", "module_too_large", "mute_needs_refusal", "names_mismatch", "negative_length", "nested_object",
  "no_choices", "no_deadline", "no_guests", "no_option_allows", "no_phases", "no_random", "nobody_reachable",
  "not_a_boolean", "not_a_choice", "not_a_number", "not_above", "not_below", "not_finite", "not_in_version",
  "not_integer", "not_multiple", "not_muted", "not_offered", "not_positive", "not_shown", "null_value",
  "obligation_too_early", "output_or_fault", "page_again", "page_needed", "page_open", "page_refused",
  "pages_not_allowed", "path_not_absolute", "pattern_invalid", "pattern_mismatch", "pattern_too_large",
  "pattern_unsupported", "patterns_too_large", "phase_undeclared", "policy_dead_host", "policy_duplicate_name",
  "policy_empty_list", "policy_empty_unless", "policy_too_many_globs", "policy_too_many_rules",
  "policy_too_many_servers", "policy_unknown_version", "question_open", "question_without_id", "queue_full",
  "rate_limited", "redacts_nothing", "ref_in_use", "refs_too_large", "remember_without_accept", "repeated_value",
  "request_passed", "reserved_name", "responses_removed", "retry_id", "retry_not_a_call", "retry_response",
  "retry_state", "review_unreadable", "reviewer_in_audit", "root_not_object", "round_altered", "round_limit",
  "same_principal", "scope_ambiguous", "seal_broken", "seal_expired", "seal_forbidden", "seal_malformed",
  "seal_not_yet", "seal_other_arguments", "seal_too_long", "seal_unknown_key", "seal_wrong_audience",
  "seal_wrong_method", "seal_wrong_principal", "seal_wrong_purpose", "seal_wrong_target", "secret_in_name",
  "secret_refused", "secret_unconfirmed", "server_ended", "session_closed", "session_full", "session_open",
  "session_rate_limited", "session_unnamed", "side_unsupported", "state_unreadable", "state_version",
  "table_too_large", "task_answer_refused", "task_input_altered", "task_input_not_named", "task_other",
  "text_too_large", "too_few", "too_high", "too_large_to_keep", "too_long", "too_low", "too_many", "too_many_calls",
  "too_many_candidates", "too_many_choices", "too_many_entries", "too_many_fields", "too_many_grants",
  "too_many_guardians", "too_many_guests", "too_many_held_calls", "too_many_names", "too_many_options",
  "too_many_parts", "too_many_questions", "too_many_sessions", "too_much_data", "too_precise", "too_short",
  "turn_cancelled", "union_type", "unknown_abi", "unknown_action", "unknown_asker", "unknown_call", "unknown_cause",
  "unknown_decision", "unknown_deed", "unknown_draft_type", "unknown_end", "unknown_event", "unknown_field",
  "unknown_framework", "unknown_grant", "unknown_handle", "unknown_input_key", "unknown_input_method",
  "unknown_interrupt", "unknown_member", "unknown_method", "unknown_mode", "unknown_obligation", "unknown_op",
  "unknown_option", "unknown_option_kind", "unknown_order", "unknown_outcome", "unknown_phase", "unknown_profile",
  "unknown_protocol", "unknown_receipt", "unknown_request", "unknown_request_state", "unknown_required",
  "unknown_result_type", "unknown_role", "unknown_scope", "unknown_session", "unknown_subject", "unknown_takes",
  "unknown_value", "unknown_version", "unknown_via", "unresolved_ref", "unsupported_dialect", "unsupported_feature",
  "unsupported_format", "unsupported_keyword", "unsupported_type", "url_required_code", "url_required_form",
  "values_too_large", "verdict_unreadable", "verdict_value", "verdict_version", "wasi_not_granted",
  "wider_than_asked", "wrong_export", "wrong_principal", "wrong_type",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** Every code of a reason. */
export const reasonCodes = [
  "accept_needs_data", "answer_invalid", "approval_policy_asks", "approval_policy_never", "approval_policy_reviews",
  "approval_policy_unreadable", "approvals_ask", "approvals_give", "arguments_edited", "arguments_unchecked",
  "cannot_loosen", "claim_malformed", "client_silent", "client_unfit", "client_unseen", "finding_declined",
  "finding_on_host", "full_access_accepts", "granted", "granular_flag_off", "granular_off", "guardian_allowed",
  "guardian_asked", "guardian_audit", "guardian_confirmed", "guardian_denied", "guardian_fault", "guardian_passed",
  "guardian_redacted", "hasty", "host_shows_forms", "joined", "layer_cannot_accept", "layer_cannot_review",
  "model_answer", "muted", "no_reviewer", "note_not_sent", "policy_unreadable", "quiet_hours", "remember_lowered",
  "review_needs_person", "reviewer_allowed", "reviewer_asked", "reviewer_beyond", "reviewer_denied",
  "reviewer_failed", "reviewer_timed_out", "reviews_stopped", "rule_broken", "rule_excepted", "rule_matched",
  "rule_possible", "rule_resembled", "rule_shadowed", "scripted_answer", "second_person_approved",
  "second_person_missing", "second_person_refused", "second_person_undecided", "secret_confirmed", "secret_noted",
  "secret_unsent", "strict_review", "suggestion_refused", "tool_uncertain", "tool_unknown", "unknown_asks",
  "unknown_declines", "unknown_kind",
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/** Every code of a finding. */
export const findingCodes = [
  "command_destructive", "command_exfiltrates", "command_obfuscated", "command_pipe_to_shell", "command_control",
  "patch_sensitive", "patch_outside", "secret_in_form", "secret_value", "secret_in_answer", "server_lookalike",
  "url_scheme", "url_insecure", "url_userinfo", "url_control", "url_bidi", "url_backslash", "url_encoded_host",
  "url_ip_literal", "url_punycode", "url_mixed_script", "url_lookalike", "url_known_lookalike", "url_non_ascii_host",
  "url_host_in_subdomain", "url_many_subdomains", "url_host_in_path", "url_port", "url_long", "url_secret_in_query",
  "url_unparsable", "text_link", "text_link_mismatch", "text_markup", "text_bidi", "text_control", "text_long",
  "text_pressure", "text_destructive", "text_impersonation",
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Every code of a remark to a schema's author. */
export const remarkCodes = [
  "boolean_without_default", "crowded_form", "default_unfit", "extra_keyword", "legacy_names", "link_not_clickable",
  "many_choices", "many_fields", "markup_not_rendered", "message_missing", "min_length_zero", "missing_description",
  "missing_title", "misspelled_format", "mode_not_in_protocol", "not_in_protocol", "other_modes_member",
  "required_may_be_empty", "required_nullable", "required_with_default", "same_choice_title", "same_title",
  "schema_missing", "secret_field", "single_choice", "unknown_format", "untitled_choices", "url_not_given",
  "url_not_https", "wordy_text",
] as const;
export type RemarkCode = (typeof remarkCodes)[number];

/** Every limit. */
export const limitNames = [
  "message", "schema", "url", "answer", "note", "arguments", "fields", "choices", "text", "sessions", "queue",
  "held_calls", "shown", "ended", "per_minute", "burst", "per_minute_session", "burst_session", "admitted_per_minute",
  "admitted_burst", "flood_bytes", "answer_ttl_ms", "shown_ttl_ms", "page_ttl_ms", "unseen_ms",
] as const;
export type LimitName = (typeof limitNames)[number];

/** Every member of a configuration. */
export const configurationKeys = [
  "profile", "pauses", "join_duplicates", "offer_scopes", "show_changes", "servers", "grants", "guardians", "limits",
  "policy",
] as const;
export type ConfigurationKey = (typeof configurationKeys)[number];

/** The profiles of a configuration. */
export const profiles = [
  "tolerant", "2025-06-18", "2025-11-25", "2026-07-28",
] as const;
export type Profile = (typeof profiles)[number];

/** The layers of a policy, the strongest first. */
export const layers = [
  "managed", "user", "project", "session",
] as const;
export type Layer = (typeof layers)[number];

/** Every member of a policy. */
export const policyKeys = [
  "$schema", "version", "approval_policy", "access", "reviewer", "findings", "grants", "suggestions", "secrets",
  "withhold", "own_surface", "on_guardian_failure", "late_questions", "unknown", "quiet", "servers", "rules",
] as const;
export type PolicyKey = (typeof policyKeys)[number];

/** The receipts that a host reports of a question before its answer. */
export const receipts = [
  "shown", "focused", "first_input",
] as const;
export type Receipt = (typeof receipts)[number];

/** The scopes of a grant: how long a yes is remembered. */
export const scopes = [
  "once", "session", "always",
] as const;
export type Scope = (typeof scopes)[number];

/** The origins of an answer; left out, a person. */
export const vias = [
  "client", "script", "no_ui", "no_answer", "model",
] as const;
export type Via = (typeof vias)[number];

/** The reasons why a guardian gave no verdict. */
export const faults = [
  "fuel", "depth", "trap", "start", "no_memory", "bad_alloc", "bad_output", "output_too_large", "question_too_large",
  "exit", "refused", "not_loaded", "unavailable", "internal",
] as const;
export type Fault = (typeof faults)[number];

/** The moments at which a guardian is consulted. */
export const phases = [
  "before_show", "before_send", "second_person",
] as const;
export type ConsultPhase = (typeof phases)[number];

/** The ends of a page that a person agreed to. */
export const resolutions = [
  "completed", "lapsed",
] as const;
export type Resolution = (typeof resolutions)[number];

/** The events that only a connection has. */
export const relayEventNames = [
  "received", "ended", "append_failed",
] as const;
export type RelayEventName = (typeof relayEventNames)[number];

/** The effects that only a connection has. */
export const relayEffectNames = [
  "forward", "send", "close", "note", "question", "settled", "new_journal",
] as const;
export type RelayEffectName = (typeof relayEffectNames)[number];

/** The places of a host on a connection. */
export const roles = [
  "between", "client", "server",
] as const;
export type Role = (typeof roles)[number];

/** The sides that can be asked a question that policy does not decide. */
export const askers = [
  "host", "client", "either", "policy", "nobody",
] as const;
export type Asker = (typeof askers)[number];

/** Every member of a connection's configuration. */
export const relayConfigurationKeys = [
  "server", "protocol", "acp_v2", "acp_chain", "config", "identity", "principal", "role", "ask", "modes",
  "policy_alone", "hold_calls", "session", "keep_alive_ms", "answer_within_ms", "completion_wait_ms", "call_over_ms",
  "max_message",
] as const;
export type RelayConfigurationKey = (typeof relayConfigurationKeys)[number];

/** The agent frameworks whose interrupts are read. */
export type Framework = "ag_ui" | "langgraph" | "ai_sdk" | "openai" | "pydantic_ai";

/** The answers that an interrupt may take. */
export type InterruptOption = "accept" | "edit" | "respond" | "decline" | "cancel" | "decline_note" | "accept_note";
