import type { Hex, Network } from '@ergon/protocols'
import type { UploadMeter } from './storage/disk.ts'
import type { BucketSettings } from './storage/s3-bucket.ts'

/** Where one network is reached. */
export type NetworkSettings = {
  /** Its row in the network table; the contracts the service trusts stand there and nowhere else. */
  readonly network: Network
  /** The first that answers is asked. */
  readonly rpcUrls: readonly string[]
}

/** Says what went wrong to whoever operates the service; never a signature or a key. */
export type AdapterLog = { warn(details: Readonly<Record<string, unknown>>, message: string): void }

/** Everything the adapters stand on, read from nowhere else. */
export type AdapterSettings = {
  readonly facilitatorUrl: string
  readonly networks: readonly NetworkSettings[]
  /** Signs the orders that give money back to the payer. */
  readonly orderSignerKey: Hex
  /** Uploaded evidence lives under it. */
  readonly dataDir: string
  /** Keys of the upload and download links derive from it. */
  readonly secret: string
  /** The service's own public address, without a slash at its end. */
  readonly baseUrl: string
  /** 25 MiB without it (spec §1.6). */
  readonly uploadMaxBytes?: number
  /** Counts the bytes that are taken (decision 0091). */
  readonly meter?: UploadMeter
  /** Evidence goes there instead of under `dataDir`. */
  readonly evidenceBucket?: BucketSettings | null
  /** One process and five seconds a file without it. */
  readonly inspection?: { readonly processes: number; readonly timeoutMs: number }
  /** No reviewer without it. */
  readonly review?: {
    readonly url: string
    readonly model: string
    readonly key: string | undefined
    readonly timeoutMs: number
  } | null
  /**
   * The transactions in which something of a payment is booked, by its hash or its nonce: where to look on a chain
   * whose node answers for a few blocks at a time. Nothing of it is believed without its receipt.
   */
  readonly booked?: (network: string, key: string) => Promise<readonly string[]>
  readonly log?: AdapterLog
  /** The time that orders are written in; this machine's without it. */
  readonly now?: () => Date
}
