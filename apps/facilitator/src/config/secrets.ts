import { readFileSync } from 'node:fs'
import { hexToBytes, isHex32 } from '@ergon/protocols'
import { StartupError } from '../errors.ts'
import type { Env } from './env.ts'

/** Kept apart from the configuration, which may be logged. */
export type Secrets = { readonly privateKey: Uint8Array; readonly adminToken: string | undefined }

export function readSecrets(env: Env): Secrets {
  const file = env['FACILITATOR_KEY_FILE']
  if (file !== undefined && file !== '' && env['FACILITATOR_KEY'] !== undefined && env['FACILITATOR_KEY'] !== '')
    throw new StartupError('set FACILITATOR_KEY or FACILITATOR_KEY_FILE, not both')
  const text = (file === undefined || file === '' ? (env['FACILITATOR_KEY'] ?? '') : readKeyFile(file)).trim()
  const hex = text.startsWith('0x') ? text : `0x${text}`
  if (!isHex32(hex))
    throw new StartupError('set FACILITATOR_KEY or FACILITATOR_KEY_FILE to a private key of 32 bytes in hex')
  const adminToken = env['FACILITATOR_ADMIN_TOKEN']
  return { privateKey: hexToBytes(hex), adminToken: adminToken === '' ? undefined : adminToken }
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartupError('FACILITATOR_KEY_FILE cannot be read', { cause })
  }
}
