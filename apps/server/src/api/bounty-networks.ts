import type { Network } from '@ergon/protocols'
import type { ApiDeps } from './deps.ts'

/** Every network that a bounty may be paid on, the preferred one first. */
export function bountyNetworks({ networks, bountyNetwork }: ApiDeps): readonly Network[] {
  return bountyNetwork === null ? networks : [...networks, bountyNetwork]
}
