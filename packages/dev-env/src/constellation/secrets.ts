import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const NAMES = ['serverSecret', 'serverAdminKey', 'facilitatorAdminToken'] as const

export type Secrets = Readonly<Record<(typeof NAMES)[number], string>>

/** Random secrets that stay the same from start to start; the file is the owner's alone. */
export function ensureSecrets(file: string): Secrets {
  const known: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const value = (name: string): string => {
    const old = typeof known === 'object' && known !== null ? (Reflect.get(known, name) as unknown) : undefined
    return typeof old === 'string' && old !== '' ? old : randomBytes(32).toString('base64url')
  }
  const secrets: Secrets = {
    serverSecret: value('serverSecret'),
    serverAdminKey: value('serverAdminKey'),
    facilitatorAdminToken: value('facilitatorAdminToken'),
  }
  if (NAMES.some((name) => typeof known !== 'object' || known === null || Reflect.get(known, name) !== secrets[name])) {
    writeFileSync(`${file}.new`, JSON.stringify(secrets, undefined, 2), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return secrets
}
