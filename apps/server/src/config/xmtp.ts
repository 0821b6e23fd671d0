import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import type { RawSettings } from './env.ts'

/** By which of its networks workers are written to; null: by none. @throws ConfigError */
export function decideXmtp(raw: RawSettings): Config['xmtpEnv'] {
  const text = raw.text('SVC_XMTP_ENV')
  const env = (['local', 'dev', 'production'] as const).find((one) => one === text)
  if (text !== undefined && env === undefined) throw new ConfigError('SVC_XMTP_ENV must be local, dev or production')
  const orphan =
    env === undefined ? ['SVC_XMTP_KEY', 'SVC_XMTP_KEY_FILE'].find((name) => raw.text(name) !== undefined) : undefined
  if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_XMTP_ENV is not`)
  return env ?? null
}
