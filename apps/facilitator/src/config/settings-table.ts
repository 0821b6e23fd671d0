import { logLevelSays, type Setting } from '@ergon/process'

/** Every environment variable the facilitator reads; the reference page is printed from it. */
export const settings = [
  { name: 'FACILITATOR_HOST', default: '127.0.0.1', says: 'Address to listen on.' },
  { name: 'FACILITATOR_PORT', default: '4021', says: 'Port to listen on.' },
  { name: 'DATABASE_URL', default: 'required', says: 'PostgreSQL 15 or later, a database of its own.' },
  {
    name: 'FACILITATOR_NETWORKS',
    default: 'required',
    says: 'Networks served, by name or CAIP-2 id, separated by commas.',
  },
  { name: 'FACILITATOR_NETWORKS_FILE', default: 'none', says: 'JSON list of further network rows.' },
  {
    name: 'FACILITATOR_RPC_<NAME>',
    default: 'required for each network',
    says: 'Nodes of a network, such as FACILITATOR_RPC_BASE_SEPOLIA: the first of these that answers is asked. Separated by commas; without it, the rpcUrls of the row.',
  },
  { name: 'FACILITATOR_RPC_TIMEOUT_MS', default: '10000', says: 'How long a node may take to answer.' },
  {
    name: 'FACILITATOR_KEY',
    default: 'required',
    says: 'Private key of the account that sends and pays gas.',
    secret: true,
  },
  { name: 'FACILITATOR_KEY_FILE', default: 'none', says: 'A file with that key, instead of FACILITATOR_KEY.' },
  {
    name: 'FACILITATOR_ORDER_DELEGATES',
    default: 'none',
    says: "Addresses that may order releases and refunds besides the operator contract's owner, separated by commas.",
  },
  {
    name: 'FACILITATOR_WALLET_FACTORIES',
    default: 'none',
    says: 'Factories that a wrapped signature (ERC-6492) may call, so that a wallet is deployed with its first lock; addresses separated by commas. In a day such locks may cost a tenth of FACILITATOR_PAYMENT_GAS_PER_DAY.',
  },
  {
    name: 'FACILITATOR_LIFECYCLE_MODE',
    default: 'enforce',
    says: 'enforce refuses a release or refund without a signed order, log lets it pass and says so, off asks for none.',
  },
  {
    name: 'FACILITATOR_ADMIN_TOKEN',
    default: 'none: revocation is hidden',
    says: 'Bearer token of POST /feedback/revoke.',
    secret: true,
  },
  { name: 'FACILITATOR_ADMIN_TOKEN_FILE', default: 'none', says: 'A file with that token, instead of it.' },
  {
    name: 'FACILITATOR_BLACKLIST_FILE',
    default: 'none',
    says: 'JSON list of {account_type, wallet, reason} that is refused.',
  },
  {
    name: 'FACILITATOR_RATE_LIMIT',
    default: '30/0.5, off on loopback',
    says: 'off, or burst/perSecond for each address: of payments, and as many reads of a chain.',
  },
  {
    name: 'FACILITATOR_GAS_PER_DAY',
    default: '50/400/2000, no limit for a caller on loopback',
    says: 'Gas, in millions, that identities and ratings may cost in a UTC day: for one wallet, for one caller and in all; 0 is no limit, off counts nothing. A quarter of the last is for ratings alone.',
  },
  {
    name: 'FACILITATOR_PAYMENT_GAS_PER_DAY',
    default: '200/2000/20000, no limit for a caller on loopback, off where localnet alone is served',
    says: 'The same for locks, direct payments and partial releases: for one payer, for one caller and in all. Releases and refunds are counted with their lock and never refused; moving fees has a tenth of the last for itself.',
  },
  {
    name: 'FACILITATOR_GAS_ALARM',
    default: '0.002',
    says: 'What the sending account must hold of a native coin, in units of it; with less, /health is degraded and says gas_low.',
  },
  {
    name: 'FACILITATOR_HIGHEST_FEE_GWEI',
    default: '0: no limit',
    says: 'The most that is paid for each gas, in gwei. Where that is too little for the next block, orders are answered with gas_too_dear until it is enough.',
  },
  {
    name: 'FACILITATOR_SMALLEST_PAYMENT',
    default: '0.001; 0 where localnet alone is served',
    says: 'The least a payment may be of its token, in units of it: less is amount_below_minimum.',
  },
  {
    name: 'FACILITATOR_SETTLE_WAIT_MS',
    default: '30000',
    says: 'How long an answer waits for the chain before it says settlement_pending.',
  },
  {
    name: 'FACILITATOR_LEASE_WAIT_MS',
    default: '10000',
    says: 'How long a start waits for a predecessor with the same account.',
  },
  {
    name: 'FACILITATOR_DATABASE_WAIT_MS',
    default: '60000',
    says: 'How long a start waits for a database that does not answer.',
  },
  {
    name: 'FACILITATOR_MINING',
    default: 'on where the node can',
    says: 'off waits for blocks on a development node too.',
  },
  {
    name: 'FACILITATOR_SHED_ABOVE_MS',
    default: '1000',
    says: 'Delay of the event loop, in milliseconds, above which questions are put off with 503 and only orders are taken; 0 puts off nothing.',
  },
  {
    name: 'FACILITATOR_SOLANA_KEY',
    default: 'required where FACILITATOR_NETWORKS names solana',
    says: 'Key that pays the fees on Solana: base58 of its 32 or 64 bytes, or the list of numbers that Solana’s own tools write.',
    secret: true,
  },
  { name: 'FACILITATOR_SOLANA_KEY_FILE', default: 'none', says: 'A file with that key, instead of it.' },
  {
    name: 'FACILITATOR_SOLANA_GENESIS',
    default: 'the main network’s',
    says: 'Hash of the first block of the Solana cluster, base58. A node that tells another one is not believed.',
  },
  {
    name: 'FACILITATOR_SOLANA_MINT',
    default: 'USDC of the main network',
    says: 'The mint that counts as USDC on a cluster other than the main network.',
  },
  {
    name: 'FACILITATOR_SOLANA_WITNESSES',
    default: '1',
    says: 'How many nodes of FACILITATOR_RPC_SOLANA have to say the same before it is believed. Set 2 where others run them.',
  },
  {
    name: 'FACILITATOR_SOLANA_PRIORITY',
    default: '0.00005',
    says: 'The most SOL a payment may offer for priority, out of this facilitator’s key.',
  },
  {
    name: 'FACILITATOR_SOL_PER_DAY',
    default: '0.025/0.25/2.5, no limit for a caller on loopback',
    says: 'SOL that payments may cost in a UTC day: for one payer, for one caller and in all; 0 is no limit, off counts nothing. Rent of new token accounts has half of the last.',
  },
  {
    name: 'FACILITATOR_SOL_ALARM',
    default: '0.1',
    says: 'What that key must hold, in SOL; with less, /health is degraded and says sol_low, and out_of_sol when no payment can be paid for.',
  },
  {
    name: 'FACILITATOR_METRICS_PORT',
    default: 'none: no figures are told',
    says: 'Port of a listener of its own on which Prometheus reads /metrics.',
  },
  {
    name: 'FACILITATOR_METRICS_HOST',
    default: '127.0.0.1',
    says: 'Address of that listener. One that others reach needs FACILITATOR_METRICS_TOKEN.',
  },
  {
    name: 'FACILITATOR_METRICS_TOKEN',
    default: 'none',
    says: 'What Prometheus sends as its bearer token; at least 32 characters.',
    secret: true,
  },
  { name: 'FACILITATOR_METRICS_TOKEN_FILE', default: 'none', says: 'A file with that token, instead of it.' },
  { name: 'FACILITATOR_LOG_LEVEL', default: 'info', says: logLevelSays },
] as const satisfies readonly Setting[]
