import type { AttackClass } from '../attack-class.ts'
import { abortedConnections } from './aborted-connections.ts'
import { disk } from './disk.ts'
import { doors } from './doors.ts'
import { flood } from './flood.ts'
import { forgedSignatures } from './forged-signatures.ts'
import { gasFacilitator } from './gas-facilitator.ts'
import { gasIdentities } from './gas-identities.ts'
import { gasLocks } from './gas-locks.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { hostileFiles } from './hostile-files.ts'
import { neighbours } from './neighbours.ts'
import { oneAuthorization } from './one-authorization.ts'
import { parties } from './parties.ts'
import { paymentRecords } from './payment-records.ts'
import { productionStart } from './production-start.ts'
import { publishLimit } from './publish-limit.ts'
import { ratings } from './ratings.ts'
import { seats } from './seats.ts'
import { signatures } from './signatures.ts'
import { silentNames } from './silent-names.ts'
import { slowAddresses } from './slow-addresses.ts'

/** In the order in which they are tried: money, stopping the service, what others pay for, reputation, doors. */
export const attackClasses: readonly AttackClass[] = [
  oneAuthorization,
  paymentRecords,
  signatures,
  hostileBodies,
  hostileFiles,
  seats,
  silentNames,
  slowAddresses,
  forgedSignatures,
  neighbours,
  abortedConnections,
  flood,
  gasIdentities,
  gasLocks,
  gasFacilitator,
  disk,
  publishLimit,
  ratings,
  parties,
  doors,
  productionStart,
]
