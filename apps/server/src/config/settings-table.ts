/** One row of the settings page. */
export type Setting = { readonly name: string; readonly default: string; readonly says: string; readonly secret?: true }

/** Every environment variable the server reads; the reference page is printed from it. */
export const settings = [
  { name: 'SVC_HOST', default: '127.0.0.1', says: 'Address to listen on.' },
  { name: 'SVC_PORT', default: '4020', says: 'Port to listen on.' },
  { name: 'SVC_BASE_URL', default: 'http://SVC_HOST:SVC_PORT', says: 'Public base URL, as callers write and sign it.' },
  { name: 'SVC_AUTHORITIES', default: '', says: 'Further hosts that signed requests may name, separated by commas.' },
  { name: 'SVC_TRUSTED_PROXIES', default: '', says: 'Addresses or CIDR blocks whose X-Forwarded-For is believed, separated by commas.' },
  { name: 'DATABASE_URL', default: 'required', says: 'PostgreSQL 15 or later.' },
  { name: 'SVC_POOL_SIZE', default: '10', says: 'Database connections of this process.' },
  { name: 'SVC_PAYMENT_MODE', default: 'fase2', says: 'fase1 pays at approval without escrow, fase2 checks the balance and locks at assignment, fase5 locks without the check.' },
  { name: 'SVC_NETWORKS', default: 'required', says: 'Networks served, by name, separated by commas; the first is preferred.' },
  { name: 'SVC_RPC_<NAME>', default: 'required for each network', says: 'Node of a network: SVC_RPC_BASE, SVC_RPC_LOCALNET.' },
  { name: 'SVC_FACILITATOR_URL', default: 'required', says: 'The settlement facilitator.' },
  { name: 'SVC_ORDER_SIGNER_KEY', default: 'required', says: 'Private key that signs refund orders.', secret: true },
  { name: 'SVC_ORDER_SIGNER_KEY_FILE', default: 'none', says: 'A file with that key, instead of SVC_ORDER_SIGNER_KEY.' },
  { name: 'SVC_SECRET', default: 'required', says: 'At least 32 characters; links and nonces are derived from it.', secret: true },
  { name: 'SVC_SECRET_FILE', default: 'none', says: 'A file with it, instead of SVC_SECRET.' },
  { name: 'SVC_ADMIN_KEY', default: 'none: admin operations are closed', says: 'Key of the admin operations.', secret: true },
  { name: 'SVC_ADMIN_KEY_FILE', default: 'none', says: 'A file with it, instead of SVC_ADMIN_KEY.' },
  { name: 'SVC_DATA_DIR', default: './data', says: 'Where uploaded evidence is kept.' },
  { name: 'SVC_PLATFORM_AGENT_ID', default: 'none', says: 'The platform’s own ERC-8004 agent id on the identity network; health, agent-info and its score name it.' },
  { name: 'SVC_REQUIRE_IDENTITY', default: 'true', says: 'Whether publishers and workers need an ERC-8004 identity.' },
  { name: 'SVC_AUTO_REGISTER', default: 'true', says: 'Registers unknown wallets, gasless, instead of refusing them.' },
  { name: 'SVC_SETTLE_WAIT_MS', default: '10000', says: 'How long a caller waits for the chain before the answer is 202.' },
  { name: 'SVC_RATE_ANON_PER_MIN', default: '60', says: 'Requests a minute of an address without a signature; 0 is no limit.' },
  { name: 'SVC_RATE_WALLET_PER_MIN', default: '600', says: 'Requests a minute of a wallet; 0 is no limit.' },
  { name: 'SVC_PUBLISH_PER_HOUR', default: '100', says: 'Tasks a wallet may publish in an hour; 0 is no limit.' },
  { name: 'SVC_LOG_LEVEL', default: 'info', says: 'silent, error, warn, info or debug.' },
] as const satisfies readonly Setting[]
