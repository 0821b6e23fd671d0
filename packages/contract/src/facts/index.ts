// Facts that every part of the service reads at run time, the core among them: they import nothing.
export { feeBps, splitFee } from './fee.ts'
export type { FeeSplit } from './fee.ts'
export {
  evidenceKindOf,
  evidenceKinds,
  evidenceLimits,
  evidenceTypes,
  filesOf,
  pictureTypes,
} from './evidence-kinds.ts'
export type { EvidenceKind, EvidenceType, ValueForm } from './evidence-kinds.ts'
export { contentTypeOf, evidenceContentTypes, fileKindOf, fileKinds } from './file-kinds.ts'
export type { EvidenceContentType, FileKind } from './file-kinds.ts'
export { showsSomething } from './shows-something.ts'
export { tamed } from './tamed.ts'
export { sellIntent, type SellIntent } from './sell-intent.ts'
export { isMailAddress, mailAddressPattern } from './mail-address.ts'
export { isNewsTo, newsKinds, newsTable, type NewsKind, type NewsRow } from './news.ts'
export { whoDecides, type Deciders } from './who-decides.ts'
export { policyLimits } from './policy-limits.ts'
export { closedNames, everyNetwork, isClosedNetwork } from './closed-networks.ts'
export { cashOutMinUsd } from './cash-out-limits.ts'
export { pictureBytesMax } from './picture-limits.ts'
export { extensionLimits } from './extension-limits.ts'
export { cancellableStatuses, extendableStatuses, settleableStatuses } from './task-statuses.ts'
export { otherTaskIn, saltOf, taskIn } from './task-salt.ts'
