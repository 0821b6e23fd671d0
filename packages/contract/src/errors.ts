/**
 * One row for every code an answer may carry. The status and `retryable` of a code live here and
 * nowhere else; transports, the OpenAPI document and the reference page are printed from it.
 */

/** What a caller needs to know about one code. */
export type ErrorEntry = {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 501 | 502 | 503
  /** Whether the same call may succeed later without a change of its content. */
  readonly retryable: boolean
  /** Said when the thrower gives no message of its own. */
  readonly message: string
  /** What to do now. */
  readonly recovery: string
}

const resend = 'Wait as Retry-After says and send the same request again.'
const resign = 'Sign a new request with a new nonce.'
const resendSigned =
  'Wait as Retry-After says and send the call again with the same X-Idempotency-Key and a new signature, as this nonce may be spent.'
const freshChallenge = 'Fetch a fresh challenge, check it against what you agreed to, sign it and call again.'
const readTask = 'Read the task and continue from its current status.'

export const errorCatalogue = {
  // requests
  MALFORMED_BODY: {
    status: 400,
    retryable: false,
    message: 'The body is not a JSON object.',
    recovery: 'Send one JSON object in UTF-8.',
  },
  INVALID_PAYMENT_AUTH: {
    status: 400,
    retryable: false,
    message: 'X-Payment-Auth cannot be read.',
    recovery: freshChallenge,
  },
  NETWORK_MISMATCH: {
    status: 400,
    retryable: false,
    message: "NETWORK_MISMATCH: the payment authorization was signed for a different network than the task's.",
    recovery: "Sign a new authorization for the task's network. Never resend this one.",
  },
  OWN_LISTING: {
    status: 400,
    retryable: false,
    message: 'You cannot order from your own listing.',
    recovery: 'Order from another seller.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    message: 'This endpoint accepts only application/json.',
    recovery: 'Send the body as application/json without a content encoding.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'This path does not answer this method.',
    recovery: 'Use a method that the Allow header names.',
  },
  request_body_too_large: {
    status: 413,
    retryable: false,
    message: 'The body is larger than this endpoint accepts.',
    recovery: 'Upload large evidence with a link from GET /api/v1/evidence/presign-upload and submit that link.',
  },
  VALIDATION_FAILED: {
    status: 422,
    retryable: false,
    message: 'A field is invalid.',
    recovery: 'Correct the field named in details and call again.',
  },
  UNKNOWN_FIELD: {
    status: 422,
    retryable: false,
    message: 'The request contains an unknown field.',
    recovery: 'Remove or rename the fields named in details; did_you_mean and missing name the right ones.',
  },
  INVALID_BOUNTY: {
    status: 422,
    retryable: false,
    message: 'The bounty is out of range, or has too many decimals.',
    recovery: 'Choose a bounty within the limits given in details, with no more decimals than the token has.',
  },
  sell_intent_rejected: {
    status: 422,
    retryable: false,
    message: 'Publishing a task makes you the buyer, but this text offers something for sale.',
    recovery:
      'Post a service listing at POST /api/v1/services, or apply to an open task. If you do want to pay for this, ' +
      'send it again with the header X-SVC-Insist: sell_intent (argument insist in tools).',
  },
  price_mismatch: {
    status: 422,
    retryable: false,
    message: "bounty_usd_override differs from the listing's price.",
    recovery: "Set bounty_usd_override to the listing's unit_price_usd, or leave it out.",
  },
  NETWORK_NO_ESCROW: {
    status: 422,
    retryable: false,
    message: 'This network has no escrow.',
    recovery: 'Choose an escrow network from GET /api/v1/payments/networks.',
  },
  NETWORK_NOT_ACCEPTED: {
    status: 422,
    retryable: false,
    message: 'This deployment does not serve this network.',
    recovery: 'Choose a network from GET /api/v1/payments/networks.',
  },
  NETWORK_CLOSED: {
    status: 409,
    retryable: false,
    message: 'The operator takes no new jobs and no new locks on this network for now.',
    recovery:
      'Choose a network that GET /api/v1/payments/networks says takes_new_jobs, or wait until this one does. What is open there goes on and ends as usual.',
  },
  TOKEN_NOT_ACCEPTED: {
    status: 422,
    retryable: false,
    message: 'This token is not available on the chosen network.',
    recovery: 'Choose a token from GET /api/v1/payments/networks.',
  },
  INVALID_REPUTATION_NETWORK: {
    status: 422,
    retryable: false,
    message: 'This network does not accept new ratings.',
    recovery: 'Choose a network from GET /api/v1/reputation/networks whose selectable_for_reputation is true.',
  },
  PAYOUT_PROOF_INVALID: {
    status: 422,
    retryable: false,
    message: 'The binding was not signed with the key of this address.',
    recovery:
      'Sign the text that this operation describes with the key of the address, and send it within ten minutes.',
  },
  EVIDENCE_MISSING: {
    status: 422,
    retryable: false,
    message: 'Required evidence is missing.',
    recovery: 'Add the evidence types named in details.',
  },
  EVIDENCE_INVALID: {
    status: 422,
    retryable: false,
    message: 'A piece of evidence is invalid.',
    recovery: 'Correct the evidence named in details.',
  },
  WEBHOOK_URL_REFUSED: {
    status: 422,
    retryable: false,
    message: 'The URL must be https on port 443 or 8443, without credentials or fragment, at a public address.',
    recovery: 'Use a URL that is reachable from the internet.',
  },
  CONFIG_NOT_CHANGEABLE: {
    status: 422,
    retryable: false,
    message: 'This setting cannot be changed while the service runs.',
    recovery:
      'Choose a setting listed by GET /api/v1/admin/config. The fee is set by the contracts, the payment mode by the deployment.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message: 'This idempotency key was already used for a different request.',
    recovery: 'Use a new key for a new request.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    retryable: true,
    message: 'A request with this idempotency key is in progress.',
    recovery:
      'Wait as Retry-After says and send the same request with the same key again, or ask GET /api/v1/operations/{key}.',
  },

  // who is asking
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    message: 'This operation needs a wallet-signed request.',
    recovery: 'Sign the request as GET /api/v1/auth/erc8128/info describes.',
  },
  INVALID_SIGNATURE_HEADERS: {
    status: 401,
    retryable: false,
    message: 'The request signature is invalid.',
    recovery:
      'Mend what the message names, by GET /api/v1/auth/erc8128/info and the examples at /signing-vectors.json, and sign ' +
      'a new request.',
  },
  authority_not_allowed: {
    status: 401,
    retryable: false,
    message: 'The signature names a host that does not belong to this service.',
    recovery: 'Sign for one of the authorities listed by GET /api/v1/auth/erc8128/info.',
  },
  SIGNATURE_EXPIRED: {
    status: 401,
    retryable: false,
    message: 'The signature is outside its time window.',
    recovery: `${resign} If that is refused too, your clock is wrong: the Date header of this answer has the time.`,
  },
  SIGNATURE_REPLAYED: {
    status: 401,
    retryable: false,
    message: 'This signature has already been used.',
    recovery: resign,
  },
  API_KEY_REFUSED: {
    status: 403,
    retryable: false,
    message: 'This host does not accept API keys or bearer tokens.',
    recovery: 'Remove the header and sign the request with your wallet.',
  },
  invalid_token: {
    status: 401,
    retryable: false,
    message: 'The access token is expired, revoked, forged or for another resource.',
    recovery: 'Connect the tool again; a client refreshes its token or begins a new sign-in.',
  },
  insufficient_scope: {
    status: 403,
    retryable: false,
    message: 'The access token does not carry the scope that this call needs.',
    recovery: 'Connect the tool again and allow the scope that the answer names.',
  },
  bearer_not_allowed: {
    status: 403,
    retryable: false,
    message: 'This door takes no delegated tokens.',
    recovery: 'Do it with your own wallet: sign the request, or use the app.',
  },
  approval_amount_over_limit: {
    status: 403,
    retryable: false,
    message: 'The release is above the most that you let this tool release at once.',
    recovery: 'Sign the release approval that the answer hands out, or approve in the app.',
  },
  approval_count_exhausted: {
    status: 403,
    retryable: false,
    message: 'This tool has used up the approvals you let it make.',
    recovery: 'Sign the release approval that the answer hands out, or connect the tool again with new limits.',
  },
  approval_budget_missing: {
    status: 403,
    retryable: false,
    message: 'The access token carries no limit of approvals.',
    recovery: 'Connect the tool again and allow approvals with both limits, or sign the release approval.',
  },
  approval_amount_unknown: {
    status: 403,
    retryable: false,
    message: 'Neither the bounty nor the escrow names an amount to hold against the limit.',
    recovery: 'Approve with your own wallet.',
  },
  approval_budget_unavailable: {
    status: 403,
    retryable: true,
    message: 'The approvals of this tool cannot be counted right now; nothing was released.',
    recovery: 'Wait a moment and call again, or sign the release approval that the answer hands out.',
  },
  INVALID_API_KEY: {
    status: 401,
    retryable: false,
    message: 'The admin key is missing or wrong.',
    recovery: "Send this deployment's admin key in X-Admin-Key.",
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    message: 'Your wallet may not do this.',
    recovery: 'Sign with the wallet that owns the resource or takes part in the task.',
  },
  ARBITER_UNKNOWN: {
    status: 403,
    retryable: false,
    message: 'This wallet may not rule on this task.',
    recovery: 'Read GET /api/v1/arbiters and the policy of the task: it may name one of them alone.',
  },
  SIGNATURE_REQUIRED: {
    status: 403,
    retryable: false,
    message: 'Only the parties to the task may read this, and the request is unsigned.',
    recovery: "Sign the request with the publisher's or the worker's wallet.",
  },
  identity_required: {
    status: 403,
    retryable: false,
    message: 'The wallet has no ERC-8004 identity.',
    recovery: 'Register one at POST /api/v1/reputation/register and call again.',
  },
  PARTY_MISMATCH: {
    status: 403,
    retryable: false,
    message: 'This task is for another kind of party.',
    recovery: 'Look for tasks whose target_executor_type is any or your own party.',
  },
  REPUTATION_TOO_LOW: {
    status: 403,
    retryable: false,
    message: 'This task requires a higher reputation.',
    recovery: 'Look for tasks whose min_reputation is not above your score.',
  },
  WALLET_BLOCKED: {
    status: 403,
    retryable: false,
    message: 'This wallet is banned from this service.',
    recovery: 'Contact the operator of this deployment.',
  },
  ACCOUNT_PROOF_DIFFERS: {
    status: 403,
    retryable: false,
    message: 'This address needs another kind of proof.',
    recovery: 'Sign as details describe: with the key of the address, or as a contract on the chain that keyid names.',
  },
  SESSION_REQUIRED: {
    status: 401,
    retryable: false,
    message: "This operation needs a person's session.",
    recovery: 'Sign in at POST /api/v1/auth/session and send the cookie; agents use the signed operations.',
  },
  SIGN_IN_REFUSED: {
    status: 401,
    retryable: false,
    message: 'The sign-in was refused.',
    recovery: 'Fetch a new text at POST /api/v1/auth/session/challenge, sign exactly that text and send it once.',
  },
  SESSION_NOT_FOR_PARTY: {
    status: 403,
    retryable: false,
    message: 'Only people can open a session, and this wallet is registered as another kind of party.',
    recovery: 'Sign the request with the wallet instead.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'A session cannot make changes from this origin.',
    recovery: 'Call from a page of this service, or ask its operator to allow the origin.',
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'The tool server does not answer under this host name.',
    recovery: 'Call the host named in the agent card. An operator adds others in SVC_AUTHORITIES.',
  },
  identity_check_unavailable: {
    status: 503,
    retryable: true,
    message: "The wallet's identity cannot be checked right now.",
    recovery: resendSigned,
  },
  nonce_store_unavailable: {
    status: 503,
    retryable: true,
    message: 'The replay guard is unavailable right now.',
    recovery: resendSigned,
  },
  RATE_LIMITED: { status: 429, retryable: true, message: 'Too many requests.', recovery: 'Wait as Retry-After says.' },
  LISTING_CAP_REACHED: {
    status: 429,
    retryable: true,
    message: 'You already have 20 active listings, the maximum for a seller.',
    recovery: 'Pause a listing at PATCH /api/v1/services/{id} and send this again.',
  },

  AGENT_KEYS_DISABLED: {
    status: 403,
    retryable: false,
    message: 'This deployment does not exchange agent keys.',
    recovery: 'Sign requests with your wallet instead.',
  },
  AGENT_KEY_REFUSED: {
    status: 401,
    retryable: false,
    message: 'The agent key is unknown.',
    recovery: 'Ask the operator of this deployment for a key.',
  },
  PARTY_BLOCKED: {
    status: 403,
    retryable: false,
    message: 'One of the two parties has blocked the other.',
    recovery: 'Look for other tasks. GET /api/v1/users/blocked lists the wallets you have blocked.',
  },

  // things
  NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is nothing at this address.',
    recovery: 'See /openapi.json for the available operations.',
  },
  TASK_NOT_FOUND: { status: 404, retryable: false, message: 'There is no such task.', recovery: 'Check the id.' },
  SUBMISSION_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such submission.',
    recovery: 'Check the id.',
  },
  WORKER_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such worker.',
    recovery: 'Check the id, or register at POST /api/v1/workers/register.',
  },
  LISTING_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such listing.',
    recovery: 'Browse GET /api/v1/services.',
  },
  ESCROW_NOT_FOUND: { status: 404, retryable: false, message: 'The task has no escrow.', recovery: readTask },
  LOCATION_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'The publisher set no place for this task.',
    recovery: 'Read location_hint. Without a place the task can be done anywhere.',
  },
  FEEDBACK_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no feedback for this task.',
    recovery: readTask,
  },
  IDENTITY_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such identity.',
    recovery: 'Register at POST /api/v1/reputation/register.',
  },
  DISPUTE_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such dispute.',
    recovery: 'Check the id, or list yours at GET /api/v1/disputes.',
  },
  OFFER_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such settlement offer.',
    recovery: 'Check the id, or list those of the task at GET /api/v1/tasks/{task_id}/settlements.',
  },
  RULING_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'No arbiter has ruled on this dispute.',
    recovery: 'Wait for a ruling, or read the dispute.',
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'You have no such webhook.',
    recovery: 'List yours at GET /api/v1/webhooks.',
  },
  GRANT_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'You gave no such tool access.',
    recovery: 'List what you allowed at GET /api/v1/account/grants.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such delivery.',
    recovery: 'List them at GET /api/v1/webhooks/{webhook_id}/deliveries.',
  },
  EVENTS_FORGOTTEN: {
    status: 410,
    retryable: false,
    message: 'Events at this cursor are no longer kept.',
    recovery: 'Read the state you need, then read events without a cursor to start at the oldest one kept.',
  },
  EVIDENCE_TAKEN_DOWN: {
    status: 410,
    retryable: false,
    message: 'The operator has deleted this file.',
    recovery: 'Read GET /api/v1/submissions/{submission_id}: `taken_down` has the hashes of what was deleted.',
  },
  TASK_GONE: { status: 410, retryable: false, message: 'The task is over.', recovery: 'Stop polling this task.' },

  // lifecycle
  already_applied: {
    status: 409,
    retryable: false,
    message: 'You have already applied to this task.',
    recovery: 'Treat this as success.',
  },
  TASK_NOT_OPEN: {
    status: 409,
    retryable: false,
    message: 'This task is not accepting applications.',
    recovery: readTask,
  },
  TASK_NOT_ASSIGNABLE: {
    status: 409,
    retryable: false,
    message: 'This task cannot be assigned in its current status.',
    recovery: readTask,
  },
  WORKER_NOT_APPLIED: {
    status: 409,
    retryable: false,
    message: 'This worker has not applied to the task.',
    recovery: 'Assign an applicant from GET /api/v1/tasks/{id}/applications.',
  },
  ESCROW_NOT_ASSIGNABLE: {
    status: 409,
    retryable: true,
    message: 'An escrow lock for this task is in progress or already in place.',
    recovery: 'Wait about 10 seconds and read the task before trying again.',
  },
  TASK_NOT_SUBMITTABLE: {
    status: 409,
    retryable: false,
    message: 'This task does not accept submissions in its current status.',
    recovery: readTask,
  },
  DEADLINE_PASSED: {
    status: 409,
    retryable: false,
    message: 'The deadline of the task has passed.',
    recovery: readTask,
  },
  SUBMISSION_NOT_REVIEWABLE: {
    status: 409,
    retryable: false,
    message: 'This submission takes no decision now.',
    recovery: 'Read the submission and its task: it was decided, or the task is over without a decision.',
  },
  APPROVAL_IN_FLIGHT: {
    status: 409,
    retryable: true,
    message: 'A decision about this submission is in progress.',
    recovery: 'Wait about 10 seconds and read the submission before trying again.',
  },
  TASK_NOT_CANCELLABLE: {
    status: 409,
    retryable: false,
    message: 'This task cannot be cancelled in its current status.',
    recovery: readTask,
  },
  TASK_NOT_WITHDRAWABLE: {
    status: 409,
    retryable: false,
    message: 'The worker of this task cannot step down now.',
    recovery: readTask,
  },
  TASK_STATE_NOT_FORCEABLE: {
    status: 409,
    retryable: false,
    message: 'This task cannot be forced into that status, because it would misstate what happened to the money.',
    recovery:
      'Cancel, expire or dispute the task. Decide a submission in review with POST /api/v1/disputes/{dispute_id}/resolve.',
  },
  WORKER_BLOCKED: {
    status: 409,
    retryable: false,
    message: 'This worker is banned from the service and cannot start new work.',
    recovery: 'Choose another applicant or listing.',
  },
  OFFER_NOT_OPEN: {
    status: 409,
    retryable: false,
    message: 'Nothing can be settled by this offer any more.',
    recovery: 'Read the task and its offers; make a new one if it still holds money.',
  },
  SETTLEMENT_SIGNATURE_REQUIRED: {
    status: 409,
    retryable: false,
    message: 'The settlement is not signed. Nothing has changed.',
    recovery: freshChallenge,
  },
  RULING_SIGNATURE_REQUIRED: {
    status: 409,
    retryable: false,
    message: 'The ruling is not signed. Nothing has changed.',
    recovery: freshChallenge,
  },
  DISPUTE_NOT_OPEN: {
    status: 409,
    retryable: false,
    message: 'This dispute is no longer open.',
    recovery: 'Read the dispute to see how it was resolved.',
  },
  TASK_NOT_EDITABLE: {
    status: 409,
    retryable: false,
    message: 'A task can be edited only while it is published and has no applications.',
    recovery: 'Cancel the task and publish a new one.',
  },
  LISTING_PAUSED: {
    status: 409,
    retryable: false,
    message: 'This listing is paused and does not accept orders.',
    recovery: 'Order from another listing, or wait until this one is active.',
  },
  ALREADY_RATED: {
    status: 409,
    retryable: false,
    message: 'You have already rated this task.',
    recovery: 'Treat this as success.',
  },
  TASK_NOT_RATEABLE: {
    status: 409,
    retryable: false,
    message: 'A task can be rated only once it is completed.',
    recovery: readTask,
  },

  PORTFOLIO_NOT_OPEN: {
    status: 409,
    retryable: false,
    message: 'Nobody can ask to show this work, or answer that, at the moment.',
    recovery: 'Read GET /api/v1/tasks/{task_id}/portfolio: its state says what is left to do.',
  },
  WEBHOOK_CAP_REACHED: {
    status: 409,
    retryable: false,
    message: 'A wallet can have at most 10 webhooks.',
    recovery: 'Delete one at DELETE /api/v1/webhooks/{webhook_id}.',
  },
  WEBHOOK_NOT_VERIFIED: {
    status: 409,
    retryable: false,
    message: 'This endpoint is not verified yet.',
    recovery: 'Call POST /api/v1/webhooks/{webhook_id}/verify.',
  },
  WEBHOOK_CHALLENGE_FAILED: {
    status: 409,
    retryable: false,
    message: 'The endpoint did not return the token of the challenge.',
    recovery: 'Answer the webhook.challenge event with 2xx and its data.token as the body, then verify again.',
  },
  ACCOUNT_BUSY: {
    status: 409,
    retryable: false,
    message: 'This account still has open tasks or payments.',
    recovery: 'Finish or cancel the tasks named in details, then try again.',
  },

  // escrow and settlement (spec §7)
  escrow_signature_required: {
    status: 402,
    retryable: false,
    message: "Assigning needs the payer's escrow authorization.",
    recovery: freshChallenge,
  },
  INSUFFICIENT_FUNDS: {
    status: 402,
    retryable: true,
    message: "The payer's balance does not cover the bounty.",
    recovery: 'Fund the wallet with required_usdc on the named network and call again.',
  },
  FEE_UNPAID: {
    status: 402,
    retryable: false,
    message:
      'The fee of an earlier task is unpaid: its worker was paid, but the wallet no longer held enough for the fee.',
    recovery:
      'Fund the wallet with required_usdc on the named network, then sign the challenge named in details and send it to POST /api/v1/tasks/{task_id}/fee. The client does this with payUnpaidFee({ task_id }), the command line with ergon pay-fee. While is_under_way is true, funding the wallet is enough.',
  },
  FEE_NOT_OWED: {
    status: 409,
    retryable: false,
    message: 'This task has no unpaid fee.',
    recovery: 'Treat this as success.',
  },
  LOCK_REVERTED: {
    status: 402,
    retryable: true,
    message: 'The chain refused the escrow lock.',
    recovery: 'Sign a fresh authorization and call again, once.',
  },
  INVALID_SIGNATURE: {
    status: 402,
    retryable: false,
    message: 'The payment authorization was not signed by the payer for exactly these terms.',
    recovery: freshChallenge,
  },
  OPERATOR_MISMATCH: {
    status: 402,
    retryable: false,
    message: 'The payment authorization names an operator contract that this deployment does not use.',
    recovery: freshChallenge,
  },
  FORBIDDEN_RECEIVER: {
    status: 402,
    retryable: false,
    message: 'The payment authorization does not pay the assigned worker.',
    recovery: freshChallenge,
  },
  AMOUNT_MISMATCH: {
    status: 402,
    retryable: false,
    message: 'The payment authorization is not for the exact bounty.',
    recovery: freshChallenge,
  },
  PAYMENT_AUTH_USED: {
    status: 409,
    retryable: false,
    message: 'This payment authorization was already used for another task.',
    recovery: freshChallenge,
  },
  SELF_PAYMENT_BLOCKED: {
    status: 409,
    retryable: false,
    message: 'The payer and the receiver are the same wallet.',
    recovery: 'Use two different wallets.',
  },
  ESCROW_NOT_RELEASABLE: {
    status: 409,
    retryable: false,
    message: 'The escrow holds no funds to release.',
    recovery: 'Check detail.escrow_status.',
  },
  ESCROW_NOT_REFUNDABLE: {
    status: 409,
    retryable: false,
    message: 'The escrow holds no funds to refund.',
    recovery: 'Check detail.escrow_status.',
  },
  AUTHORIZATION_EXPIRED: {
    status: 409,
    retryable: false,
    message: 'The escrow authorization has expired.',
    recovery: 'The payer can reclaim the funds through GET /api/v1/escrow/task/{task_id}/reclaim.',
  },
  WORKER_WALLET_MISSING: {
    status: 409,
    retryable: false,
    message: 'The worker has no payout wallet.',
    recovery: 'Ask the worker to register one.',
  },
  WORKER_WALLET_INVALID: {
    status: 409,
    retryable: false,
    message: "The worker's payout wallet is malformed.",
    recovery: 'Ask the worker to correct it.',
  },
  PAYMENT_AUTH_MISSING: {
    status: 409,
    retryable: false,
    message: 'The payment authorization is missing.',
    recovery: freshChallenge,
  },
  ESCROW_STATE_MISSING: {
    status: 409,
    retryable: false,
    message: 'The escrow record has no payment info.',
    recovery: 'Contact the operator of this deployment.',
  },
  PAYOUT_NON_POSITIVE: {
    status: 409,
    retryable: false,
    message: 'The payout would not be positive.',
    recovery: 'Cancel the task.',
  },
  LIFECYCLE_ORDER_REQUIRED: {
    status: 409,
    retryable: true,
    message: 'The payer has not signed the release order. No money has moved.',
    recovery: 'Fetch GET /api/v1/escrow/task/{task_id}/lifecycle-challenge, sign it and send it as lifecycle_order.',
  },
  LIFECYCLE_ORDER_INVALID: {
    status: 409,
    retryable: false,
    message: 'The release order is invalid. No money has moved.',
    recovery: 'Fetch GET /api/v1/escrow/task/{task_id}/lifecycle-challenge again and sign what it returns.',
  },
  APPROVAL_INVALID: {
    status: 409,
    retryable: false,
    message: 'The release approval is invalid. No money has moved.',
    recovery: 'Fetch GET /api/v1/submissions/{id}/approve/challenge again and sign what it returns.',
  },
  SDK_UNAVAILABLE: {
    status: 502,
    retryable: true,
    message: 'The payment library could not be loaded.',
    recovery: 'Retry with backoff.',
  },
  TX_HASH_MISSING: {
    status: 502,
    retryable: true,
    message: 'The facilitator named no transaction for this settlement.',
    recovery: 'Read the payment events of the task before trying again.',
  },
  SETTLEMENT_FAILED: {
    status: 502,
    retryable: true,
    message: 'The settlement failed. The submission can still be approved.',
    recovery: 'Retry with backoff.',
  },
  REFUND_FAILED: {
    status: 502,
    retryable: true,
    message: 'The refund could not be submitted. The task is unchanged.',
    recovery: 'Retry with backoff.',
  },
  RATING_REFUSED: {
    status: 409,
    retryable: false,
    message: 'The chain refused the rating.',
    recovery: 'Prepare it again at POST /api/v1/reputation/relay/prepare.',
  },
  RATING_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'Ratings cannot be relayed right now.',
    recovery: resend,
  },
  REGISTRATION_FAILED: {
    status: 502,
    retryable: true,
    message: 'The identity could not be registered.',
    recovery: 'Retry with backoff.',
  },
  GAS_BUDGET_SPENT: {
    status: 503,
    retryable: true,
    message: "This deployment has spent today's gas budget for registrations.",
    recovery:
      'Try again at details.reset_at, or after midnight UTC. A wallet can also register at the ERC-8004 registry itself. No money has moved.',
  },
  CHAIN_UNAVAILABLE: { status: 503, retryable: true, message: 'The chain cannot be read right now.', recovery: resend },

  // metered channels
  NO_PAYEE_RESOLVED: {
    status: 409,
    retryable: false,
    message: 'This task has no payee on its ledger yet.',
    recovery: 'Assign a worker first; the worker binds an address with PATCH /api/v1/account/solana-payout-address.',
  },
  CHANNEL_NOT_YOURS: {
    status: 403,
    retryable: false,
    message: 'Another key opened this channel.',
    recovery: "Bind a channel whose payer's key you have proved.",
  },
  CHANNEL_NOT_ON_CHAIN: {
    status: 400,
    retryable: false,
    message: 'The ledger holds no channel at this address.',
    recovery: 'Open the channel, wait until it is confirmed and bind it then.',
  },
  CHANNEL_NOT_REUSABLE: {
    status: 409,
    retryable: false,
    message: 'This channel cannot fund this task.',
    recovery:
      'Where details.fault is task_has_a_channel, go on: the task is funded. Else open a new channel on the terms of the offer; the fault says what differs.',
  },
  CHANNEL_EXPIRED: {
    status: 409,
    retryable: false,
    message: 'The channel of this task takes no more work.',
    recovery: 'Stop. What was accepted is paid when the channel is settled.',
  },
  no_channel_bound: {
    status: 409,
    retryable: false,
    message: 'No channel funds this task yet.',
    recovery: 'Its publisher binds one: POST /api/v1/tasks/{task_id}/channel.',
  },
  SESSION_CAP_EXCEEDED: {
    status: 422,
    retryable: false,
    message: 'A limit of metered work is reached.',
    recovery:
      'On a tick, stop: what was accepted is paid when the channel is settled. Else details.reason says what to lower, or to end first.',
  },
  channel_unreadable: {
    status: 503,
    retryable: true,
    message: 'The channel cannot be read from the ledger right now.',
    recovery: resend,
  },
  WORKER_USDC_ATA_MISSING: {
    status: 409,
    retryable: false,
    message: "The worker's address has no account for the token, or one that is frozen.",
    recovery: 'The worker makes an account for the token at its payout address; then bind the channel again.',
  },
  WORKER_USDC_ATA_UNVERIFIABLE: {
    status: 503,
    retryable: true,
    message: "The worker's token account cannot be read right now.",
    recovery: resend,
  },

  // evidence
  UPLOAD_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'The upload link is forged, expired or used.',
    recovery: 'Fetch a new link at GET /api/v1/evidence/presign-upload.',
  },
  UPLOAD_QUOTA_EXCEEDED: {
    status: 413,
    retryable: false,
    message: 'This task has used its whole upload quota.',
    recovery:
      "Submit what you have uploaded, or give the file's size in content_length. Uploads that are never submitted are removed after a while and free their space.",
  },
  UPLOAD_BUDGET_SPENT: {
    status: 429,
    retryable: true,
    message: 'The daily upload quota is used up.',
    recovery: 'Wait as Retry-After says. You can submit what is already uploaded.',
  },
  UPLOAD_TYPE_REFUSED: {
    status: 422,
    retryable: false,
    message: 'The file does not match its announced content type.',
    recovery: 'Upload a file of that content type.',
  },

  // service
  FEATURE_DISABLED: {
    status: 404,
    retryable: false,
    message: 'This deployment does not offer this feature.',
    recovery: 'See GET /api/v1/config for the features on offer.',
  },
  NOT_WIRED: {
    status: 501,
    retryable: false,
    message: 'This feature is not set up in this deployment.',
    recovery: 'See GET /api/v1/config for the features on offer.',
  },
  GEOCODER_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'Addresses cannot be looked up right now.',
    recovery: 'Wait as Retry-After says and ask again, or send coordinates that you know.',
  },
  SERVICE_BUSY: { status: 503, retryable: true, message: 'The service is busy.', recovery: resend },
  OUTCOME_UNKNOWN: {
    status: 503,
    retryable: true,
    message: 'The database connection was lost during this request, so its outcome is not known yet.',
    recovery:
      'Wait as Retry-After says and send it again with the same X-Idempotency-Key and a new signature. It is not carried out twice. GET /api/v1/operations/{key} also shows the outcome. Without a key, read the state first.',
  },
  INTERNAL: {
    status: 500,
    retryable: true,
    message: 'Something went wrong on our side.',
    recovery: 'Retry with backoff. Quote request_id when you report it.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCatalogue

/** The `error` name of envelope A, by status (spec §7). */
export const errorNames: Readonly<Record<ErrorEntry['status'], string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'ValidationError',
  429: 'RateLimited',
  500: 'InternalError',
  501: 'NotImplemented',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
}
