import { logLevelSays, type Setting } from '@ergon/process'

/** Every environment variable the gateway reads; the reference page is printed from it. */
export const settings = [
  { name: 'GATEWAY_HOST', default: '127.0.0.1', says: 'Address to listen on.' },
  { name: 'GATEWAY_PORT', default: '4030', says: 'Port to listen on.' },
  { name: 'DATABASE_URL', default: 'required', says: 'PostgreSQL 15 or later, a database of its own.' },
  {
    name: 'GATEWAY_DATABASE_WAIT_MS',
    default: '60000',
    says: 'How long a start waits for a database that does not answer.',
  },
  {
    name: 'GATEWAY_ENDPOINTS',
    default: 'required',
    says: 'What is sold: `PATH UPSTREAM PRICE PAYEE`, separated by commas. The price is of one call, in millionths of the token; the payee is a Solana address and gets 87 % of it. A name has to lead to public addresses, unless the word `private` follows; an address written as one is used as it is.',
  },
  { name: 'GATEWAY_RPC', default: 'required', says: 'Nodes of the Solana cluster, separated by commas.' },
  { name: 'GATEWAY_NETWORK', default: 'localnet', says: 'localnet, devnet or mainnet.' },
  {
    name: 'GATEWAY_GENESIS',
    default: 'that of the network; on localnet what the first node tells',
    says: 'Genesis hash of the cluster; a node of another one is never believed.',
  },
  {
    name: 'GATEWAY_MINT',
    default: 'USDC; required on devnet',
    says: 'Mint of the token that is paid with, with six decimals.',
  },
  { name: 'GATEWAY_PROGRAM', default: 'that of the main network', says: 'Address of the payment-channel program.' },
  {
    name: 'GATEWAY_PROGRAM_HASH',
    default: 'required but on localnet',
    says: 'SHA-256 of the code of that program, in hex; another code stops the start.',
  },
  {
    name: 'GATEWAY_OPERATOR_KEY',
    default: 'required but on localnet',
    says: 'Seed of 32 bytes in hex: pays fees and rent, and is the payee of every channel.',
    secret: true,
  },
  { name: 'GATEWAY_OPERATOR_KEY_FILE', default: 'none', says: 'A file with that seed, instead of it.' },
  {
    name: 'GATEWAY_VOUCHER_KEY',
    default: 'required but on localnet',
    says: 'Seed of 32 bytes in hex: signs vouchers for buyers who let the operator meter.',
    secret: true,
  },
  { name: 'GATEWAY_VOUCHER_KEY_FILE', default: 'none', says: 'A file with that seed, instead of it.' },
  {
    name: 'GATEWAY_VOUCHERS',
    default: 'operator,client',
    says: 'Who may sign vouchers: the operator as it meters, the client for each call, or either.',
  },
  { name: 'GATEWAY_REALM', default: 'ergon gateway', says: 'The realm that challenges name.' },
  {
    name: 'GATEWAY_DEPOSITS',
    default: '100000/1000000/100000000',
    says: 'The least, the suggested and the most that a channel may hold, in millionths of the token.',
  },
  { name: 'GATEWAY_GRACE_SEC', default: '900', says: 'Grace period that a channel has to be opened with.' },
  {
    name: 'GATEWAY_IDLE_SEC',
    default: '600',
    says: 'How long a channel may be without a call before it is settled and closed.',
  },
  {
    name: 'GATEWAY_BODIES',
    default: '1048576/16777216',
    says: 'The most bytes of a request, and of an answer of the upstream.',
  },
  {
    name: 'GATEWAY_UPSTREAM_MS',
    default: '30000/600000',
    says: 'How long an upstream may take to answer, and to end an answer that it streams, in milliseconds; a day at the most.',
  },
  {
    name: 'GATEWAY_SEATS',
    default: '128/128/512',
    says: 'Calls under way at once: of one channel, of one address, and in all; of connections four times as many.',
  },
  {
    name: 'GATEWAY_CHANNELS',
    default: '4/16/1000',
    says: 'Channels that are open at once: of one payer, opened from one address, and in all.',
  },
  {
    name: 'GATEWAY_RATES',
    default: '12/6/60/60',
    says: 'What one address may do: openings, top-ups and closings at once and more of them a minute, credentials that fail at once and more of them a minute.',
  },
  {
    name: 'GATEWAY_SPONSORED',
    default: '64/256/10000',
    says: 'Openings and top-ups in a day (UTC), whose fees the operator pays: of one payer, of one address, and in all.',
  },
  {
    name: 'GATEWAY_TRUSTED_PROXIES',
    default: '',
    says: 'Addresses or CIDR blocks whose X-Forwarded-For is believed, separated by commas. Behind a proxy that is not listed every buyer shares one address and its limits.',
  },
  {
    name: 'GATEWAY_METRICS_PORT',
    default: 'none: no figures are told',
    says: 'Port of a listener of its own on which Prometheus reads /metrics.',
  },
  {
    name: 'GATEWAY_METRICS_HOST',
    default: '127.0.0.1',
    says: 'Address of that listener. One that others reach needs GATEWAY_METRICS_TOKEN.',
  },
  {
    name: 'GATEWAY_METRICS_TOKEN',
    default: 'none',
    says: 'What Prometheus sends as its bearer token; at least 32 characters.',
    secret: true,
  },
  { name: 'GATEWAY_METRICS_TOKEN_FILE', default: 'none', says: 'A file with that token, instead of it.' },
  { name: 'GATEWAY_LOG_LEVEL', default: 'info', says: logLevelSays },
] as const satisfies readonly Setting[]
