/**
 * One row for every code an answer may carry. The status and `retryable` of a code live here and
 * nowhere else; transports, the OpenAPI document and the reference page are printed from it.
 */

/** What a caller needs to know about one code. */
export type ErrorEntry = {
  readonly status: 400 | 401 | 402 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 501 | 502 | 503
  /** Whether the same call may succeed later without a change of its content. */
  readonly retryable: boolean
  /** Said when the thrower gives no message of its own. */
  readonly message: string
  /** What to do now. */
  readonly recovery: string
}

const resend = 'Wait as Retry-After says and send the same request again.'
const resign = 'Sign a fresh request with a new nonce and send it.'
const resendSigned =
  'Wait as Retry-After says and send the call again under the same X-Idempotency-Key, signed anew: the nonce of this request may be spent.'
const freshChallenge = 'Fetch a fresh challenge, compare it with what you agreed to, sign it and call again.'
const readTask = 'Read the task and go on from the status it shows.'

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
    message: "NETWORK_MISMATCH: the payment authorization is signed for another network than the task's.",
    recovery: 'Sign a new authorization for the network of the task; never resend this one.',
  },
  OWN_LISTING: {
    status: 400,
    retryable: false,
    message: 'This listing is your own.',
    recovery: "Order from another seller; a listing's seller never buys from it.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    message: 'Only application/json is read here.',
    recovery: 'Send the body as application/json without a content encoding.',
  },
  request_body_too_large: {
    status: 413,
    retryable: false,
    message: 'The body is larger than this endpoint reads.',
    recovery: 'Upload large evidence through GET /api/v1/evidence/presign-upload and submit the link.',
  },
  VALIDATION_FAILED: {
    status: 422,
    retryable: false,
    message: 'A field does not meet its rule.',
    recovery: 'Correct the field that details name and call again.',
  },
  UNKNOWN_FIELD: {
    status: 422,
    retryable: false,
    message: 'The request carries a field that this operation does not know.',
    recovery: 'Remove the fields that details name.',
  },
  INVALID_BOUNTY: {
    status: 422,
    retryable: false,
    message: 'The bounty is out of range.',
    recovery: 'Choose a bounty within the limits that details give.',
  },
  sell_intent_rejected: {
    status: 422,
    retryable: false,
    message: 'Publishing makes you the buyer; this task offers to sell.',
    recovery: 'Post a service listing at POST /api/v1/services, or apply to an open task.',
  },
  price_mismatch: {
    status: 422,
    retryable: false,
    message: 'bounty_usd_override is not the price of the listing.',
    recovery: 'Read the listing and order at its unit_price_usd, or leave bounty_usd_override out.',
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
    message: 'This network is not served here.',
    recovery: 'Choose a network from GET /api/v1/payments/networks.',
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
    message: 'This network takes no new ratings.',
    recovery: 'Choose a network from GET /api/v1/reputation/networks whose selectable_for_reputation is true.',
  },
  PAYOUT_PROOF_INVALID: {
    status: 422,
    retryable: false,
    message: 'The key of the address did not sign this binding.',
    recovery:
      'Sign the text that the operation describes, with the key of the address, and send it within ten minutes.',
  },
  EVIDENCE_MISSING: {
    status: 422,
    retryable: false,
    message: 'Required evidence is missing.',
    recovery: 'Add the evidence types that details name.',
  },
  EVIDENCE_INVALID: {
    status: 422,
    retryable: false,
    message: 'A piece of evidence does not meet its rule.',
    recovery: 'Correct the evidence that details name.',
  },
  WEBHOOK_URL_REFUSED: {
    status: 422,
    retryable: false,
    message: 'The URL must be https on port 443 or 8443, without credentials or fragment, at a public address.',
    recovery: 'Name a URL that is reachable from the internet.',
  },
  CONFIG_NOT_CHANGEABLE: {
    status: 422,
    retryable: false,
    message: 'This setting cannot be changed while the service runs.',
    recovery:
      'Change one of those that GET /api/v1/admin/config lists; the fee and the payment mode belong to the contracts and the deployment.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message: 'This idempotency key was used with another body.',
    recovery: 'Use a new key for a new request.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    retryable: true,
    message: 'A request with this idempotency key is under way.',
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
    message: 'The request signature was refused.',
    recovery: resign,
  },
  authority_not_allowed: {
    status: 401,
    retryable: false,
    message: 'The signature was made for a host that this service does not serve.',
    recovery: 'Sign for one of the authorities that GET /api/v1/auth/erc8128/info lists.',
  },
  SIGNATURE_EXPIRED: {
    status: 401,
    retryable: false,
    message: 'The signature is outside its time window.',
    recovery: resign,
  },
  SIGNATURE_REPLAYED: { status: 401, retryable: false, message: 'This signature has been used.', recovery: resign },
  API_KEY_REFUSED: {
    status: 403,
    retryable: false,
    message: 'API keys and bearer tokens are refused on this host.',
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
    recovery: 'Send the key of this deployment in X-Admin-Key.',
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    message: 'This is not yours.',
    recovery: 'Sign with the wallet that owns the resource.',
  },
  SIGNATURE_REQUIRED: {
    status: 403,
    retryable: false,
    message: 'Only a party of the task may read this, and the request is unsigned.',
    recovery: 'Sign the request with the wallet of the publisher or of the worker.',
  },
  identity_required: {
    status: 403,
    retryable: false,
    message: 'The wallet has no ERC-8004 identity.',
    recovery: 'Register at POST /api/v1/reputation/register and call again.',
  },
  PARTY_MISMATCH: {
    status: 403,
    retryable: false,
    message: 'The task is meant for another kind of party.',
    recovery: 'Look for tasks whose target_executor_type is any or your own party.',
  },
  REPUTATION_TOO_LOW: {
    status: 403,
    retryable: false,
    message: 'The task asks for a higher reputation.',
    recovery: 'Look for tasks whose min_reputation you meet.',
  },
  WALLET_BLOCKED: {
    status: 403,
    retryable: false,
    message: 'This wallet may not use the service.',
    recovery: 'Write to the operator of this deployment.',
  },
  ACCOUNT_PROOF_DIFFERS: {
    status: 403,
    retryable: false,
    message: 'This address is an account that is proven in another way.',
    recovery: 'Sign as details say: with the key of the address, or as the contract on that chain, named in the keyid.',
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
    recovery: 'Fetch a fresh text at POST /api/v1/auth/session/challenge, sign exactly that and send it once.',
  },
  SESSION_NOT_FOR_PARTY: {
    status: 403,
    retryable: false,
    message: 'A session is for people, and this wallet is registered as another kind of party.',
    recovery: 'Sign the request with the wallet instead.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'A session changes nothing from this origin.',
    recovery: 'Call from a page of this service, or have its operator allow the origin.',
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'The tool server does not go by this host name.',
    recovery: 'Call the host that the agent card names; an operator lists further ones in SVC_AUTHORITIES.',
  },
  identity_check_unavailable: {
    status: 503,
    retryable: true,
    message: 'The identity of the wallet cannot be checked right now.',
    recovery: resendSigned,
  },
  nonce_store_unavailable: {
    status: 503,
    retryable: true,
    message: 'The replay guard cannot be asked right now.',
    recovery: resendSigned,
  },
  RATE_LIMITED: { status: 429, retryable: true, message: 'Too many requests.', recovery: 'Wait as Retry-After says.' },
  LISTING_CAP_REACHED: {
    status: 429,
    retryable: true,
    message: 'You have 20 active listings, which is the most a seller may have.',
    recovery: 'Set a listing to paused at PATCH /api/v1/services/{id} and send this again.',
  },

  AGENT_KEYS_DISABLED: {
    status: 403,
    retryable: false,
    message: 'This deployment exchanges no agent keys.',
    recovery: 'Sign requests with your wallet; no key is needed.',
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
    message: 'One of the two parties blocked the other.',
    recovery: 'Look for other tasks; GET /api/v1/users/blocked shows whom you blocked yourself.',
  },

  // things
  NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is nothing here.',
    recovery: 'See /openapi.json for the operations that exist.',
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
    message: 'The publisher named no place for this task.',
    recovery: 'Read location_hint; the task may be done anywhere.',
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
  WEBHOOK_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'There is no such webhook of yours.',
    recovery: 'List yours at GET /api/v1/webhooks.',
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
    message: 'Events at this cursor are kept no longer.',
    recovery: 'Read the state you need, then read events without a cursor: the oldest that is kept comes first.',
  },
  TASK_GONE: { status: 410, retryable: false, message: 'The task is over.', recovery: 'Stop polling this task.' },

  // lifecycle
  already_applied: {
    status: 409,
    retryable: false,
    message: 'You have applied to this task already; nothing is left to do.',
    recovery: 'Treat this as success.',
  },
  TASK_NOT_OPEN: { status: 409, retryable: false, message: 'The task takes no applications now.', recovery: readTask },
  TASK_NOT_ASSIGNABLE: {
    status: 409,
    retryable: false,
    message: 'The task cannot be assigned in its present status.',
    recovery: readTask,
  },
  WORKER_NOT_APPLIED: {
    status: 409,
    retryable: false,
    message: 'This worker has not applied to the task.',
    recovery: 'Assign someone from GET /api/v1/tasks/{id}/applications.',
  },
  ESCROW_NOT_ASSIGNABLE: {
    status: 409,
    retryable: true,
    message: 'An escrow lock of this task is in flight or already stands.',
    recovery: 'Wait about 10 seconds and read the task before trying again.',
  },
  TASK_NOT_SUBMITTABLE: {
    status: 409,
    retryable: false,
    message: 'The task takes no submission in its present status.',
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
    message: 'The submission has been decided already.',
    recovery: 'Read the submission.',
  },
  APPROVAL_IN_FLIGHT: {
    status: 409,
    retryable: true,
    message: 'A decision about this submission is in flight.',
    recovery: 'Wait about 10 seconds and read the submission before trying again.',
  },
  TASK_NOT_CANCELLABLE: {
    status: 409,
    retryable: false,
    message: 'The task cannot be cancelled in its present status.',
    recovery: readTask,
  },
  TASK_NOT_WITHDRAWABLE: {
    status: 409,
    retryable: false,
    message: 'A worker may step down only before a submission is in review.',
    recovery: readTask,
  },
  TASK_STATE_NOT_FORCEABLE: {
    status: 409,
    retryable: false,
    message: 'The task cannot be put into that status: it would say of the money what did not happen.',
    recovery:
      'Cancel, expire or dispute it; what is in review is decided by POST /api/v1/disputes/{dispute_id}/resolve.',
  },
  WORKER_BLOCKED: {
    status: 409,
    retryable: false,
    message: 'The worker may not use the service, so no work begins with it.',
    recovery: 'Choose another applicant or listing.',
  },
  DISPUTE_NOT_OPEN: {
    status: 409,
    retryable: false,
    message: 'The dispute is not open any more.',
    recovery: 'Read the dispute.',
  },
  TASK_NOT_EDITABLE: {
    status: 409,
    retryable: false,
    message: 'Only a published task without applications may be edited.',
    recovery: 'Cancel it and publish a new one.',
  },
  LISTING_PAUSED: {
    status: 409,
    retryable: false,
    message: 'The listing takes no orders while it is paused.',
    recovery: 'Order from another listing, or wait until this one is active.',
  },
  ALREADY_RATED: {
    status: 409,
    retryable: false,
    message: 'You have rated this task already.',
    recovery: 'Treat this as success.',
  },
  TASK_NOT_RATEABLE: {
    status: 409,
    retryable: false,
    message: 'Ratings open when the task is completed.',
    recovery: readTask,
  },

  WEBHOOK_CAP_REACHED: {
    status: 409,
    retryable: false,
    message: 'A wallet has at most 10 webhooks.',
    recovery: 'Delete one at DELETE /api/v1/webhooks/{webhook_id}.',
  },
  WEBHOOK_NOT_VERIFIED: {
    status: 409,
    retryable: false,
    message: 'The endpoint has not proved that it wants what is sent to it.',
    recovery: 'Call POST /api/v1/webhooks/{webhook_id}/verify.',
  },
  WEBHOOK_CHALLENGE_FAILED: {
    status: 409,
    retryable: false,
    message: 'The endpoint did not answer the challenge with its token.',
    recovery: 'Let it answer 2xx with data.token of the webhook.challenge event as the body, and verify again.',
  },
  ACCOUNT_BUSY: {
    status: 409,
    retryable: false,
    message: 'Work or money of this account is in flight.',
    recovery: 'End or cancel the tasks that details name, then ask again.',
  },

  // escrow and settlement (spec §7)
  escrow_signature_required: {
    status: 402,
    retryable: true,
    message: "Assigning needs the payer's escrow authorization.",
    recovery: freshChallenge,
  },
  INSUFFICIENT_FUNDS: {
    status: 402,
    retryable: true,
    message: "The payer's balance does not cover the bounty.",
    recovery: 'Fund the wallet with required_usdc on the network named and call again.',
  },
  FEE_UNPAID: {
    status: 402,
    retryable: false,
    message: 'The fee of an earlier task was not paid: its worker was, and the money for the fee had left the wallet.',
    recovery:
      'Fund the wallet with required_usdc on the network named, then fetch the challenge that details name, sign it and send it to POST /api/v1/tasks/{task_id}/fee: payUnpaidFee({ task_id }) of the client and ergon pay-fee do that. While is_under_way is true, funding the wallet is enough.',
  },
  FEE_NOT_OWED: {
    status: 409,
    retryable: false,
    message: 'No fee of this task is unpaid.',
    recovery: 'Treat this as success.',
  },
  LOCK_REVERTED: {
    status: 402,
    retryable: true,
    message: 'The chain refused the escrow lock.',
    recovery: 'Sign a fresh authorization once and call again.',
  },
  INVALID_SIGNATURE: {
    status: 402,
    retryable: false,
    message: 'The payment authorization is not signed by the payer, or not for exactly these terms.',
    recovery: freshChallenge,
  },
  OPERATOR_MISMATCH: {
    status: 402,
    retryable: false,
    message: 'The payment authorization names another operator than this deployment.',
    recovery: freshChallenge,
  },
  FORBIDDEN_RECEIVER: {
    status: 402,
    retryable: false,
    message: 'The payment authorization pays somebody else than the assigned worker.',
    recovery: freshChallenge,
  },
  AMOUNT_MISMATCH: {
    status: 402,
    retryable: false,
    message: 'The payment authorization is not for exactly the bounty.',
    recovery: freshChallenge,
  },
  PAYMENT_AUTH_USED: {
    status: 409,
    retryable: false,
    message: 'The payment authorization belongs to another task.',
    recovery: freshChallenge,
  },
  SELF_PAYMENT_BLOCKED: {
    status: 409,
    retryable: false,
    message: 'The receiver equals the payer.',
    recovery: 'Use two distinct wallets.',
  },
  ESCROW_NOT_RELEASABLE: {
    status: 409,
    retryable: false,
    message: 'The escrow holds nothing that could be released.',
    recovery: 'Read detail.escrow_status.',
  },
  ESCROW_NOT_REFUNDABLE: {
    status: 409,
    retryable: false,
    message: 'The escrow holds nothing that could be refunded.',
    recovery: 'Read detail.escrow_status.',
  },
  AUTHORIZATION_EXPIRED: {
    status: 409,
    retryable: false,
    message: 'The escrow authorization has expired.',
    recovery: 'The payer takes the funds back through GET /api/v1/escrow/task/{task_id}/reclaim.',
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
    message: 'There is no payment authorization.',
    recovery: freshChallenge,
  },
  ESCROW_STATE_MISSING: {
    status: 409,
    retryable: false,
    message: 'The escrow row has no payment info.',
    recovery: 'Write to the operator of this deployment.',
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
    message: 'The payer has not signed the release order; the money is untouched.',
    recovery: 'Fetch GET /api/v1/escrow/task/{task_id}/lifecycle-challenge, sign it and resend it as lifecycle_order.',
  },
  LIFECYCLE_ORDER_INVALID: {
    status: 409,
    retryable: true,
    message: 'The release order was refused; the money is untouched.',
    recovery: 'Fetch GET /api/v1/escrow/task/{task_id}/lifecycle-challenge again and sign what it returns.',
  },
  APPROVAL_INVALID: {
    status: 409,
    retryable: true,
    message: 'The release approval was refused; the money is untouched.',
    recovery: 'Fetch GET /api/v1/submissions/{id}/approve/challenge again and sign what it returns.',
  },
  SDK_UNAVAILABLE: {
    status: 502,
    retryable: true,
    message: 'The payment library did not load.',
    recovery: 'Retry with backoff.',
  },
  TX_HASH_MISSING: {
    status: 502,
    retryable: true,
    message: 'The settlement answered without naming a transaction.',
    recovery: 'Read the payment events of the task before trying again.',
  },
  SETTLEMENT_FAILED: {
    status: 502,
    retryable: true,
    message: 'The settlement failed; the submission stays approvable.',
    recovery: 'Retry with backoff.',
  },
  REFUND_FAILED: {
    status: 502,
    retryable: true,
    message: 'The refund could not be submitted; the task is unchanged.',
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
    message: 'This deployment registers no further identities today: its gas for that is spent.',
    recovery:
      'Come back at details.reset_at, or after midnight UTC. An identity can be registered at the ERC-8004 registry by its wallet; money that was to be locked or paid is untouched.',
  },
  CHAIN_UNAVAILABLE: { status: 503, retryable: true, message: 'The chain cannot be read right now.', recovery: resend },

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
    message: 'The uploads of this task take all the room that a task has.',
    recovery:
      'Submit what is uploaded, or say the length of the file in content_length; what is never submitted is removed after a while and gives its room back.',
  },
  UPLOAD_BUDGET_SPENT: {
    status: 429,
    retryable: true,
    message: 'The room for uploads of this day is used up.',
    recovery: 'Wait as Retry-After says; submit what is uploaded already.',
  },
  UPLOAD_TYPE_REFUSED: {
    status: 422,
    retryable: false,
    message: 'The bytes are not of the kind that was announced.',
    recovery: 'Upload a file of the announced content type.',
  },

  // service
  FEATURE_DISABLED: {
    status: 404,
    retryable: false,
    message: 'This deployment does not offer that.',
    recovery: 'See GET /api/v1/config for what is offered.',
  },
  NOT_WIRED: {
    status: 501,
    retryable: false,
    message: 'This feature is not wired in this deployment.',
    recovery: 'See GET /api/v1/config for what is offered.',
  },
  SERVICE_BUSY: { status: 503, retryable: true, message: 'The service is busy.', recovery: resend },
  OUTCOME_UNKNOWN: {
    status: 503,
    retryable: true,
    message: 'The database was lost while this was being done: whether it took effect is not known yet.',
    recovery:
      'Wait as Retry-After says and send it again under the same X-Idempotency-Key, signed anew: what was done is answered, not done twice. GET /api/v1/operations/{key} says it too. Without a key, read the state first.',
  },
  INTERNAL: {
    status: 500,
    retryable: true,
    message: 'Something went wrong on our side.',
    recovery: 'Retry with backoff; name request_id when you report it.',
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
