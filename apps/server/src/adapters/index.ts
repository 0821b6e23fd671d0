import type {
  EvidenceInspector,
  EvidenceStorage,
  IdentityRegistry,
  PaymentSignatures,
  PictureMaker,
  PortfolioMaker,
  Rail,
  RatingRelay,
  Reviewer,
} from '@ergon/core'
import { lowerAddress, privateKeySigner } from '@ergon/protocols'
import { createTreasuries } from './chain/treasuries.ts'
import { createContractWallets, type ContractWallets } from './contract-wallets.ts'
import { createFacilitatorClient } from './facilitator/facilitator-client.ts'
import { checkHealth, type AdapterHealth } from './health.ts'
import { createIdentityRegistry } from './identity.ts'
import { createCleaner, type Cleaner } from './inspector/create-cleaner.ts'
import { createMedia } from './inspector/create-media.ts'
import { createServedNetworks, type ServedNetworks } from './networks.ts'
import { createFacilitatedRail } from './rails/facilitated-rail.ts'
import { createRatingRelay } from './ratings.ts'
import { createReviewer } from './reviewer/create-reviewer.ts'
import { proveSettings, type Proof } from './proof/prove-settings.ts'
import type { AdapterSettings } from './settings.ts'
import { keyFor } from '../surroundings/key-for.ts'
import { platformTime } from '../surroundings/platform-time.ts'
import { createPaymentSignatures } from './signatures/payment-signatures.ts'
import { silencePurpose } from './signatures/silence-order.ts'
import { keyText, spenderPurpose } from './signatures/standing-orders.ts'
import { createTakeBack, type TakeBackOrder } from './signatures/take-back.ts'
import { createDiskEvidence, type DiskEvidence, type HeldFiles } from './storage/disk.ts'
import { createStorageProbe } from './storage/storage-probe.ts'
import { createS3Evidence } from './storage/s3.ts'

export type { TakeBackOrder } from './signatures/take-back.ts'
export type { ContractSignature, ContractWallets } from './contract-wallets.ts'
export type { AdapterHealth } from './health.ts'
export type { AdapterSettings } from './settings.ts'
export { openBucketFiles } from './storage/bucket-files.ts'
export { openFolder, type DiskEvidence } from './storage/disk.ts'
export { bucketOrigin } from './storage/s3-bucket.ts'

/** The marketplace's connections to chains, facilitator and disk. */
export type Adapters = AsyncDisposable & {
  /** @throws NETWORK_NOT_ACCEPTED */
  readonly rails: (network: string) => Rail
  /** The networks that are served, and the nodes of each. */
  readonly networks: ServedNetworks
  readonly signatures: PaymentSignatures
  readonly identities: IdentityRegistry
  readonly ratings: RatingRelay
  readonly evidence: EvidenceStorage
  /** The files this service itself takes and gives; null where links lead to a store of their own. */
  readonly evidenceFiles: DiskEvidence | null
  readonly contracts: ContractWallets
  readonly takeBack: TakeBackOrder
  readonly inspector: EvidenceInspector
  readonly pictureMaker: PictureMaker
  /** Makes pictures that everybody may see. */
  readonly portfolioMaker: PortfolioMaker
  /** Null: no model is set. */
  readonly reviewer: Reviewer | null
  health(): Promise<AdapterHealth>
  /** Whether evidence can be stored. */
  storageTakes(): Promise<boolean>
  /** Whether a file of evidence is where evidence is kept. @throws where the store gives no answer */
  holdsEvidence(key: string): Promise<boolean>
  /** Asks nodes and facilitator whether they are what the settings take them for. */
  prove(): Promise<Proof>
}

/** Connects nothing yet: every connection is made when it is first needed. */
export function createAdapters(settings: AdapterSettings): Adapters {
  const warn = (message: string, error: unknown): void => settings.log?.warn({ err: error }, message)
  const networks = createServedNetworks(settings.networks, warn, settings.booked)
  const time = { ...platformTime, ...(settings.now === undefined ? {} : { now: settings.now }) }
  const facilitator = createFacilitatorClient(settings.facilitatorUrl, time.now)
  const treasuries = createTreasuries()
  const contracts = createContractWallets(networks)
  const orderSigner = privateKeySigner(settings.orderSignerKey)
  const rails = new Map<string, Rail>(
    networks.all.map((network) => [
      network.row.name,
      createFacilitatedRail({ network, facilitator, treasuries, orderSigner, time, log: settings.log }),
    ]),
  )
  const signerFor = (purpose: string) => privateKeySigner(keyText(keyFor(settings.secret, purpose)))
  const log = settings.log === undefined ? {} : { log: settings.log }
  const inspection = settings.inspection ?? { processes: 1, timeoutMs: 5_000 }
  const cleaner = createCleaner({ timeoutMs: inspection.timeoutMs, ...log })
  const stores = createEvidence(settings, cleaner)
  const media = createMedia({
    ...inspection,
    read: (key) => stores.evidence.read(key),
    taskOf: (key) => stores.evidence.ownerOf(key)?.taskId ?? null,
    ...log,
  })
  const reviewer =
    settings.review === undefined || settings.review === null
      ? null
      : createReviewer({ ...settings.review, preview: (file) => media.preview(file), ...log })
  return {
    networks,
    rails: (name) => rails.get(networks.named(name).row.name) ?? noRail(name),
    signatures: createPaymentSignatures({
      networks,
      treasuries,
      contracts,
      spender: signerFor(silencePurpose),
      delegate: orderSigner,
    }),
    takeBack: createTakeBack({ facilitator, networks, spender: signerFor(spenderPurpose) }),
    identities: createIdentityRegistry(facilitator, settings.baseUrl),
    ratings: createRatingRelay({ networks, facilitator, orderSigner, time }),
    ...stores,
    contracts,
    inspector: media,
    pictureMaker: media,
    portfolioMaker: media,
    reviewer,
    health: () => checkHealth(networks, facilitator),
    storageTakes: createStorageProbe(settings),
    holdsEvidence: (key) => stores.evidence.holds(key),
    prove: () => proveSettings({ networks, facilitator, treasuries, orderSigner: lowerAddress(orderSigner.address) }),
    async [Symbol.asyncDispose]() {
      facilitator[Symbol.dispose]()
      networks[Symbol.dispose]()
      reviewer?.[Symbol.dispose]()
      await Promise.all([media[Symbol.asyncDispose](), cleaner[Symbol.asyncDispose]()])
    },
  }
}

function createEvidence(
  settings: AdapterSettings,
  cleaner: Cleaner,
): { readonly evidence: EvidenceStorage & HeldFiles; readonly evidenceFiles: DiskEvidence | null } {
  if (settings.evidenceBucket === undefined || settings.evidenceBucket === null) {
    const disk = createDiskEvidence({ ...settings, cleaner })
    return { evidence: disk, evidenceFiles: disk }
  }
  const limit = settings.uploadMaxBytes === undefined ? {} : { uploadMaxBytes: settings.uploadMaxBytes }
  return { evidence: createS3Evidence({ ...settings.evidenceBucket, cleaner, ...limit }), evidenceFiles: null }
}

function noRail(name: string): never {
  throw new Error(`a served network has a rail: ${name}`)
}
