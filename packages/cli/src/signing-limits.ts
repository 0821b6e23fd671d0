import { join } from 'node:path'
import { networks, type Network } from '@ergon/protocols'
import { readLimits, type SigningLimits } from './bridge/limits-of-signing.ts'
import { openSigningRecord, type SigningRecord } from './bridge/signing-record.ts'
import type { Profile } from './profile/profile-store.ts'
import type { Session } from './session.ts'

/** What the profile lets the bridge sign for; null where nothing is written. @throws CliError where it is unreadable */
export function limitsOf({ signing_limits: written }: Profile): SigningLimits | null {
  return written === undefined ? null : readLimits(written)
}

/** One record a wallet: profiles of one wallet share it. */
export function recordOf(session: Session): SigningRecord {
  return openSigningRecord(join(session.profiles.folder, 'signed', session.profile().address.toLowerCase()))
}

/** The networks that a profile's wallet signs for: the one it names, or all. */
export function signingNetworks({ network }: Profile): readonly Network[] {
  return Object.values(networks).filter(({ name }) => network === undefined || name === network)
}
