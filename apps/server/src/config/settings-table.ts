import { logLevelSays, type Setting } from '@ergon/process'
import { gasRows } from './gas-rows.ts'
import { geocoderRows } from './geocoder-rows.ts'
import { mailRows } from './mail-rows.ts'
import { networkListRows } from './network-list-rows.ts'
import { metricsRows } from './metrics-rows.ts'

/** Every environment variable the server reads; the reference page is printed from it. */
export const settings = [
  { name: 'SVC_HOST', default: '127.0.0.1', says: 'Address to listen on.' },
  { name: 'SVC_PORT', default: '4020', says: 'Port to listen on.' },
  { name: 'SVC_BASE_URL', default: 'http://SVC_HOST:SVC_PORT', says: 'Public base URL, as callers write and sign it.' },
  {
    name: 'SVC_MCP_URL',
    default: 'SVC_BASE_URL',
    says: 'Public URL of the host of the tool protocol; /mcp/ is below it.',
  },
  {
    name: 'SVC_MCP_CONFORMANCE',
    default: 'none',
    says: '1 adds the fixtures of the conformance suite to the tool server; for tests, never for a deployment.',
  },
  { name: 'SVC_AUTHORITIES', default: '', says: 'Further hosts that signed requests may name, separated by commas.' },
  {
    name: 'SVC_TRUSTED_PROXIES',
    default: '',
    says: 'Addresses or CIDR blocks whose X-Forwarded-For is believed, separated by commas.',
  },
  {
    name: 'SVC_ALLOWED_ORIGINS',
    default: '',
    says: 'Further origins whose pages may act with the session of a person, separated by commas.',
  },
  {
    name: 'SVC_SECURITY_CONTACT',
    default: '',
    says: 'Where a weakness is reported, as a URI (mailto:, https: or tel:). Served in /.well-known/security.txt; without it there is no such file.',
  },
  { name: 'SVC_SESSION_HOURS', default: '12', says: 'How long a person stays signed in.' },
  { name: 'DATABASE_URL', default: 'required', says: 'PostgreSQL 15 or later.' },
  {
    name: 'SVC_DATABASE_WAIT_MS',
    default: '60000',
    says: 'How long a start waits for a database that does not answer.',
  },
  { name: 'SVC_POOL_SIZE', default: '10', says: 'Database connections of this process.' },
  {
    name: 'SVC_PAYMENT_MODE',
    default: 'fase2',
    says: 'fase1 pays at approval without escrow, fase2 checks the balance and locks at assignment, fase5 locks without the check.',
  },
  {
    name: 'SVC_NETWORKS',
    default: 'required',
    says: 'Networks served, by name, separated by commas; the first is preferred.',
  },
  {
    name: 'SVC_NETWORKS_FILE',
    default: 'none',
    says: 'JSON list of further network rows, the one that the facilitator takes; a row of a known name replaces it.',
  },
  ...networkListRows,
  {
    name: 'SVC_RPC_<NAME>',
    default: 'required for each network',
    says: 'Nodes of a network, such as SVC_RPC_BASE: the first of these that answers is asked. Separated by commas.',
  },
  {
    name: 'SVC_RPC_SOLANA',
    default: 'none: no task is metered',
    says: 'One to eight Solana nodes, separated by commas: tasks may be paid by the tick out of channels of that cluster.',
  },
  {
    name: 'SVC_SOLANA_GENESIS',
    default: "the main network's",
    says: 'Hash of the first block of that cluster; a node of another one is never believed.',
  },
  {
    name: 'SVC_SOLANA_WITNESSES',
    default: '1',
    says: 'How many nodes have to say the same of an account or a transaction; 1 where they are your own.',
  },
  {
    name: 'SVC_SOLANA_PROGRAM',
    default: "the audited program's address",
    says: 'The channel program.',
  },
  {
    name: 'SVC_SOLANA_PROGRAM_HASH',
    default: 'required with SVC_RPC_SOLANA',
    says: 'SHA-256 of its code without the zeros behind it, in hex; after an upgrade nothing is trusted until it is set anew.',
  },
  { name: 'SVC_SOLANA_MINT', default: 'USDC of the main network', says: 'The token of channels; six decimals.' },
  {
    name: 'SVC_SOLANA_TREASURY',
    default: 'by the cluster',
    says: 'Owner of the account for rounding dust, a constant of the build of the program.',
  },
  {
    name: 'SVC_SOLANA_BOUNTIES',
    default: 'off',
    says: 'on pays bounties on Solana at approval: one transaction that the publisher signs and the facilitator, which must serve that cluster, sends. The fee goes to the operator key’s account.',
  },
  {
    name: 'SVC_SOLANA_PRIORITY_FEE',
    default: '1000000',
    says: 'The most that is paid for priority, in millionths of a lamport for each compute unit.',
  },
  {
    name: 'SVC_SOLANA_OPERATOR_KEY',
    default: 'required with SVC_RPC_SOLANA',
    says: 'Seals channels, pays fees and rent, gets the platform fee: 32 bytes in hex, or 64 bytes as the JSON array of a key file.',
    secret: true,
  },
  { name: 'SVC_SOLANA_OPERATOR_KEY_FILE', default: 'none', says: 'A file with that key.' },
  {
    name: 'SVC_SOLANA_VOUCHER_KEY',
    default: 'required with SVC_RPC_SOLANA',
    says: 'Signs vouchers, a key of its own, in the same form.',
    secret: true,
  },
  { name: 'SVC_SOLANA_VOUCHER_KEY_FILE', default: 'none', says: 'A file with that key.' },
  { name: 'SVC_FACILITATOR_URL', default: 'required', says: 'The settlement facilitator.' },
  { name: 'SVC_ORDER_SIGNER_KEY', default: 'required', says: 'Private key that signs refund orders.', secret: true },
  {
    name: 'SVC_ORDER_SIGNER_KEY_FILE',
    default: 'none',
    says: 'A file with that key, instead of SVC_ORDER_SIGNER_KEY.',
  },
  {
    name: 'SVC_SECRET',
    default: 'required',
    says: 'At least 32 characters; links and nonces are derived from it.',
    secret: true,
  },
  { name: 'SVC_SECRET_FILE', default: 'none', says: 'A file with it, instead of SVC_SECRET.' },
  {
    name: 'SVC_ADMIN_KEY',
    default: 'none: admin operations are closed',
    says: 'Key of the admin operations.',
    secret: true,
  },
  { name: 'SVC_ADMIN_KEY_FILE', default: 'none', says: 'A file with it, instead of SVC_ADMIN_KEY.' },
  {
    name: 'SVC_AGENT_KEYS',
    default: 'none: no agent keys are exchanged',
    says: 'A JSON file of agent keys for the dashboard: an array of {"sha256", "agent_id", "tier"}; hashes of the keys, never the keys.',
  },
  { name: 'SVC_DATA_DIR', default: './data', says: 'Where uploaded evidence is kept.' },
  {
    name: 'SVC_S3_ENDPOINT',
    default: 'none: evidence stays in SVC_DATA_DIR',
    says: 'An S3-compatible store for uploaded evidence; the bucket, region and keys belong to it.',
  },
  {
    name: 'SVC_S3_BUCKET',
    default: 'required with an endpoint',
    says: 'Its bucket. Uploads arrive under incoming/, which may expire; evidence is kept under evidence/.',
  },
  { name: 'SVC_S3_REGION', default: 'us-east-1', says: 'The region requests are signed for.' },
  {
    name: 'SVC_S3_PATH_STYLE',
    default: 'true',
    says: 'Whether the bucket is named in the path rather than in the host name.',
  },
  {
    name: 'SVC_S3_ACCESS_KEY',
    default: 'required with an endpoint',
    says: 'Access key; may get, put and list in the bucket.',
  },
  { name: 'SVC_S3_SECRET_KEY', default: 'required with an endpoint', says: 'Its secret key.', secret: true },
  { name: 'SVC_S3_SECRET_KEY_FILE', default: 'none', says: 'A file with it, instead of SVC_S3_SECRET_KEY.' },
  {
    name: 'SVC_INSPECT_THREADS',
    default: '1',
    says: 'How many pictures are opened at once, each in a process of its own, 1 to 4.',
  },
  {
    name: 'SVC_INSPECT_TIMEOUT_MS',
    default: '5000',
    says: 'How long opening or cleaning one file may take before its process is ended.',
  },
  {
    name: 'SVC_UPLOAD_TASK_MIB',
    default: '500',
    says: 'Room for the uploads of one task, in MiB; 0 is no limit. A file counts at least 64 KiB; clean copies are left out.',
  },
  {
    name: 'SVC_UPLOAD_WALLET_DAY_MIB',
    default: '2048',
    says: 'Room a wallet may take for uploads in a day of UTC, in MiB; 0 is no limit. A link without content_length takes 25 MiB until its bytes are there.',
  },
  {
    name: 'SVC_UPLOAD_DAY_MIB',
    default: '20480',
    says: 'Room all wallets together may take for uploads in a day, in MiB; 0 is no limit. From 1000 on a quarter is kept for workers with paid work, and the rest is dealt out over the day.',
  },
  {
    name: 'SVC_UPLOAD_KEEP_HOURS',
    default: '24',
    says: 'After how many hours a file that was uploaded and never submitted is removed, 1 to 720.',
  },
  {
    name: 'SVC_REVIEW_URL',
    default: 'none: evidence is not reviewed by a model',
    says: 'Base URL of an OpenAI-compatible service; /chat/completions is below it.',
  },
  {
    name: 'SVC_REVIEW_MODEL',
    default: 'required with a URL',
    says: 'The model that reviews evidence; it must take images and a JSON schema.',
  },
  { name: 'SVC_REVIEW_KEY', default: 'none', says: 'Key of that service.', secret: true },
  { name: 'SVC_REVIEW_KEY_FILE', default: 'none', says: 'A file with it, instead of SVC_REVIEW_KEY.' },
  {
    name: 'SVC_REVIEW_TIMEOUT_MS',
    default: '20000',
    says: 'How long a review may take in all, a second call included; at most 25000.',
  },
  {
    name: 'SVC_LINKED_SIGNER_URL',
    default: 'none: no signers are linked',
    says: 'Base URL of an external signer that wallets may link; /v1/sign-requests is below it.',
  },
  { name: 'SVC_LINKED_SIGNER_KEY', default: 'none', says: 'Proves this deployment to that signer.', secret: true },
  { name: 'SVC_LINKED_SIGNER_KEY_FILE', default: 'none', says: 'A file with it, instead of SVC_LINKED_SIGNER_KEY.' },
  {
    name: 'SVC_LINKED_SIGNER_TIMEOUT_MS',
    default: '5000',
    says: 'How long an answer of the signer may take; at most 20000.',
  },
  ...mailRows,
  ...geocoderRows,
  {
    name: 'SVC_PLATFORM_AGENT_ID',
    default: 'none',
    says: 'The platform’s own ERC-8004 agent id on the identity network; health, agent-info and its score name it.',
  },
  {
    name: 'SVC_IDENTITY_NETWORK',
    default: 'the first of SVC_NETWORKS with registries',
    says: 'Where agents are known and rated. A start that would leave the agents known so far for another network is refused until this names one.',
  },
  { name: 'SVC_REQUIRE_IDENTITY', default: 'true', says: 'Whether publishers and workers need an ERC-8004 identity.' },
  {
    name: 'SVC_TASK_POLICY',
    default: 'false',
    says: 'Gives each new task the default policy (review 72 h, dispute 168 h, silence releases) until its publisher gives it another.',
  },
  {
    name: 'SVC_ARBITERS',
    default: 'none',
    says: 'Wallets that may rule on disputes, with commas between; ten at most. Once the admin key has changed them as `disputes.arbiters`, this is not in force, and a start says so.',
  },
  { name: 'SVC_AUTO_REGISTER', default: 'true', says: 'Registers unknown wallets, gasless, instead of refusing them.' },
  {
    name: 'SVC_WEBHOOKS_ALLOW_LOOPBACK',
    default: 'false',
    says: 'Lets webhooks and push notifications go to this machine itself, over plain HTTP and any port; for development, and refused beside a real network.',
  },
  {
    name: 'SVC_SETTLE_WAIT_MS',
    default: '10000',
    says: 'How long a caller waits for the chain before the answer is 202.',
  },
  {
    name: 'SVC_EVENTS_KEPT_DAYS',
    default: '90',
    says: 'How long events can be read, 7 at least. An older cursor is answered with EVENTS_FORGOTTEN.',
  },
  {
    name: 'SVC_OFFERS_KEPT_DAYS',
    default: '365',
    says: 'How long offers of a settlement that came to nothing are kept once their task is over, 7 at least.',
  },
  {
    name: 'SVC_IDEMPOTENCY_HOURS',
    default: '24',
    says: 'How long an answer is kept for its idempotency key; at least 1.',
  },
  {
    name: 'SVC_RATE_ANON_PER_MIN',
    default: '60',
    says: 'Requests a minute of an address without a signature; 0 is no limit.',
  },
  { name: 'SVC_RATE_WALLET_PER_MIN', default: '600', says: 'Requests a minute of a wallet; 0 is no limit.' },
  {
    name: 'SVC_PUBLISH_PER_HOUR',
    default: '100',
    says: 'Tasks, orders and listings a wallet may publish in an hour, together; 0 is no limit.',
  },
  {
    name: 'SVC_REGISTER_PER_ADDRESS',
    default: '60',
    says: 'Identities registered, gasless, for wallets of one address in a UTC day; 0 is no limit.',
  },
  {
    name: 'SVC_REGISTER_PER_DAY',
    default: '2000',
    says: 'Identities registered, gasless, in a UTC day in all; about 430,000 gas each; 0 is no limit. A quarter is kept for wallets with paid work, the rest is dealt out over the day.',
  },
  ...gasRows,
  {
    name: 'SVC_GATEWAY',
    default: 'true',
    says: 'Where tasks are metered: whether the vouchers of a channel are shown to its parties (/api/v1/taximetro).',
  },
  {
    name: 'SVC_STREAMS',
    default: 'true',
    says: 'Where tasks are metered: whether time is metered without a task as well (/api/v1/streams).',
  },
  {
    name: 'SVC_METER_STREAMS',
    default: '2000',
    says: 'Streams of meters that one process holds open, of all together.',
  },
  {
    name: 'SVC_METER_STREAMS_PER_ADDRESS',
    default: '50',
    says: 'Streams of meters of one wallet, and of one address.',
  },
  {
    name: 'SVC_WS_CONNECTIONS',
    default: '500',
    says: 'WebSocket connections that one process holds open, of all wallets together.',
  },
  {
    name: 'SVC_XMTP_ENV',
    default: 'none: workers are told over sockets alone',
    says: 'Tells workers over XMTP too: local, dev or production. Needs the package @xmtp/node-sdk, which is not installed by itself; set it for one process.',
  },
  {
    name: 'SVC_XMTP_KEY',
    default: 'required with SVC_XMTP_ENV',
    says: 'Private key of the wallet that writes to workers; it holds no funds.',
    secret: true,
  },
  { name: 'SVC_XMTP_KEY_FILE', default: 'none', says: 'A file with that key, instead of SVC_XMTP_KEY.' },
  {
    name: 'SVC_OAUTH',
    default: 'false',
    says: 'Lets tool hosts in by OAuth 2.1, each with what the owner of a wallet allowed it. SVC_BASE_URL is the issuer and must have no path.',
  },
  {
    name: 'SVC_WALLET_FACTORIES',
    default: 'none',
    says: 'Factories whose wallets may consent to a tool before they are deployed (ERC-6492), in a call that is only simulated; addresses separated by commas. What such a wallet locks asks for the same in FACILITATOR_WALLET_FACTORIES.',
  },
  {
    name: 'SVC_WEB_DIR',
    default: 'none: no app is served',
    says: 'Folder of the built web app, read once at boot and served at /.',
  },
  {
    name: 'SVC_FAUCET_URL',
    default: 'none',
    says: 'Where the app asks for test dollars for its local test wallet; only where every network is localnet.',
  },
  {
    name: 'SVC_TERMS_URL',
    default: 'none',
    says: 'Page of yours with the terms. The app links to it, and to SVC_PRIVACY_URL and SVC_HELP_URL.',
  },
  { name: 'SVC_PRIVACY_URL', default: 'none', says: 'Page of yours with the privacy policy.' },
  { name: 'SVC_HELP_URL', default: 'none', says: 'Page of yours where people get help.' },
  {
    name: 'SVC_ON_RAMP_URL',
    default: 'none',
    says: 'Where people buy the token; the app links to it where they top up. {address} in it is replaced by their wallet.',
  },
  {
    name: 'SVC_MAP_FILE',
    default: 'none: the map has no streets',
    says: 'PMTiles archive of vector tiles in the schema of Protomaps, which the service reads and the map draws; checked at start.',
  },
  {
    name: 'SVC_MAP_TILES_URL',
    default: 'none',
    says: 'Address of such tiles elsewhere, with {z}, {x} and {y}; browsers ask its host, which so learns what they look at.',
  },
  { name: 'SVC_MAP_TILES_ZOOM', default: '15', says: 'The nearest zoom that this address has.' },
  {
    name: 'SVC_MAP_ATTRIBUTION',
    default: 'what the archive says; © OpenStreetMap for an address',
    says: 'Whose data the streets are: the map names them.',
  },
  {
    name: 'SVC_SHED_ABOVE_MS',
    default: '1000',
    says: 'Delay of the event loop, in milliseconds, above which requests without a signature or a session are answered SERVICE_BUSY; 0 refuses none.',
  },
  ...metricsRows,
  { name: 'SVC_LOG_LEVEL', default: 'info', says: logLevelSays },
] as const satisfies readonly Setting[]
