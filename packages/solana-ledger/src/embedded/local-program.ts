import { channelProgramElf } from '@ergon/channel-program'
import { codeHash } from '../rpc/check-cluster.ts'

/** The hash of the channel program's code as the embedded ledger has it, for a deployment's settings. */
export function localProgramHash(): string {
  return codeHash(channelProgramElf())
}
