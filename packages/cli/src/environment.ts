/** What the surroundings of a run may say; help and the reference page are printed from this table. */
export const environment = {
  ERGON_HOME: 'The folder of profiles and key files; ergon in the configuration folder of the user when left out.',
  ERGON_PROFILE: 'The profile to act as, when --profile does not say.',
  ERGON_URL: 'Where the service is, when --url does not say.',
  ERGON_RPC_URL: 'A node of the network, when --rpc does not say.',
  ERGON_SOLANA_KEY: 'The file of a key on Solana, when --key does not say.',
  ERGON_PASSPHRASE_FILE: 'A file whose first line opens the key file; give it to whatever has no terminal.',
  ERGON_PASSPHRASE: 'The passphrase itself; every program of the same environment can read it.',
} as const satisfies Readonly<Record<string, string>>
