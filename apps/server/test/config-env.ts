import { decideConfig, readEnv, readSecrets, type Env } from '../src/index.ts'

/** The least that a start needs. */
export const good: Env = {
  DATABASE_URL: 'postgres://localhost/ergon',
  SVC_NETWORKS: 'localnet',
  SVC_RPC_LOCALNET: 'http://127.0.0.1:8545',
  SVC_FACILITATOR_URL: 'http://127.0.0.1:4021/',
  SVC_ORDER_SIGNER_KEY: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  SVC_SECRET: 'thirty-two characters at the least',
}
export const decide = (env: Env) => {
  const raw = readEnv(env)
  const config = decideConfig(raw)
  return { config, secrets: readSecrets(raw, config) }
}
