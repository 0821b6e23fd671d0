import type { Address } from '@ergon/protocols'

/** A tool host. It keeps no secret: what proves it is where its redirects lead. */
export type Client = {
  /** The https URL of its metadata document, or an id that registration gave it. */
  readonly id: string
  /** One line, free of control characters; markup in it is text like any other. */
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Host of the metadata document; null for a registered client, whose name nobody vouches for. */
  readonly host: string | null
}

export type RegisteredClient = Omit<Client, 'host'> & { readonly createdAt: Date }

/** What `agent:approve` may release: cents of a USD for each approval, and how many approvals. */
export type ApprovalLimits = { readonly maxCents: bigint; readonly maxCount: number }

/** What a person ticked, and for which account. */
export type Choice = {
  readonly address: Address
  readonly chainId: number
  readonly scopes: readonly string[]
  readonly limits: ApprovalLimits | null
}

/** A sign-in under way: what the client asked, and how far the person has come. */
export type SignIn = {
  /** Unguessable. */
  readonly rid: string
  readonly clientId: string
  readonly clientName: string
  readonly clientHost: string | null
  readonly redirectUri: string
  readonly state: string | null
  readonly scopes: readonly string[]
  readonly resource: string
  readonly challenge: string
  /** Digest of the token that forms and the status need. */
  readonly csrfHash: string
  readonly expiresAt: Date
  readonly outcome: Outcome
}

export type Outcome =
  | { readonly kind: 'open' }
  | { readonly kind: 'denied' }
  | ({ readonly kind: 'allowed'; readonly by: Proof } & Choice)
  | { readonly kind: 'finished' }

/** By a signature under the text, or because this browser proved the wallet for this client within seven days. */
export type Proof = 'signature' | 'remembered'

/** Everything one consent issued; revoking it ends all of that. */
export type Grant = {
  readonly id: string
  readonly clientId: string
  readonly address: Address
  readonly chainId: number
  readonly scopes: readonly string[]
  readonly limits: ApprovalLimits | null
  readonly resource: string
}

export type NewGrant = Grant & {
  readonly clientName: string
  readonly redirectUri: string
  readonly challenge: string
  readonly codeHash: string
  readonly codeExpiresAt: Date
  readonly expiresAt: Date
}

/** A grant by the code that was given for it. */
export type CodeGrant = Grant &
  Pick<NewGrant, 'redirectUri' | 'challenge' | 'codeExpiresAt'> & {
    readonly isUsed: boolean
    readonly isRevoked: boolean
  }

export type RefreshToken = { readonly hash: string; readonly expiresAt: Date }

export type KnownRefresh = {
  readonly grantId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly isUsed: boolean
  /** It is good, and its grant was renewed as often as it may be in a day. */
  readonly isSpent: boolean
}

export type RevokedFor = 'code_reused' | 'refresh_reused' | 'revoked_by_client' | 'revoked_by_owner'

/**
 * Where it is all kept. Codes and refresh tokens are known by their digest alone. What consumes is one conditional
 * statement: of many at once exactly one is answered with true or a grant.
 */
export interface OAuthStore {
  /** False when `from`, or all together, registered too many today. */
  putClient(client: RegisteredClient, from: string): Promise<boolean>
  findClient(id: string): Promise<RegisteredClient | null>
  putSignIn(signIn: Omit<SignIn, 'outcome'>): Promise<void>
  /** Null as well when its time is over. */
  findSignIn(rid: string, now: Date): Promise<SignIn | null>
  /** Ends an open sign-in one way or the other; false when it is not open any more, or its time is over. */
  decide(rid: string, outcome: Extract<Outcome, { kind: 'denied' | 'allowed' }>, now: Date): Promise<boolean>
  /** Finishes a sign-in that was decided, and keeps its grant with it; false when another call did. */
  finish(rid: string, grant: NewGrant | null, now: Date): Promise<boolean>
  findCode(codeHash: string): Promise<CodeGrant | null>
  /** Consumes the code and keeps the first refresh token with it. */
  redeem(codeHash: string, refresh: RefreshToken | null, now: Date): Promise<boolean>
  /** Consumes a refresh token of the client and keeps the next with it; null when there was nothing that may be. */
  rotate(hash: string, clientId: string, next: RefreshToken, now: Date): Promise<Grant | null>
  /** What a refresh token belongs to, used or not. */
  findRefresh(hash: string, now: Date): Promise<KnownRefresh | null>
  revoke(grantId: string, why: RevokedFor, now: Date): Promise<void>
  isLive(grantId: string, now: Date): Promise<boolean>
  signingEpochs(now: Date): Promise<readonly SigningEpoch[]>
}

/** A grant as its wallet's owner may see it, whatever became of it. */
export type OwnGrant = Grant & {
  readonly clientName: string
  readonly redirectUri: string
  readonly createdAt: Date
  readonly codeExpiresAt: Date
  /** When its first token was fetched; null while none was. */
  readonly fetchedAt: Date | null
  /** To about a minute. */
  readonly usedAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly revokedFor: RevokedFor | null
  /** Approvals that were made with it or are being made. */
  readonly approvals: number
}

export type GrantLogKind =
  | 'consented'
  | 'token_issued'
  | 'token_renewed'
  | 'stepped_up'
  | 'approval_granted'
  | 'approval_refused'
  | 'approval_returned'
  | 'revoked'

/** One thing that happened to a grant; what a tool tries again and again stays one entry, the latest. */
export type GrantLogEntry = {
  /** Grows with time. */
  readonly id: bigint
  readonly at: Date
  readonly kind: GrantLogKind
  readonly grantId: string
  readonly clientName: string
  readonly detail: string | null
  readonly submissionId: string | null
  readonly cents: bigint | null
  readonly times: number
}

/** What the owner of a wallet reads and takes back. Nobody else's grant is ever found. */
export interface OwnGrantStore {
  /** Newest first; one more than asked for tells that there is more. */
  grantsOf(wallet: Address, limit: number, offset: number): Promise<readonly OwnGrant[]>
  countGrantsOf(wallet: Address): Promise<number>
  grantOf(wallet: Address, grantId: string): Promise<OwnGrant | null>
  /** Grants that are neither over nor newer than the moment. */
  liveGrantsOf(wallet: Address, now: Date, limit: number): Promise<readonly string[]>
  /** Newest first, before the entry of that id. */
  logOf(wallet: Address, before: bigint | null, limit: number, offset: number): Promise<readonly GrantLogEntry[]>
}

/** What is noted of grants beside the calls that bring it. */
export interface GrantNoteStore {
  /** Writes nothing for a grant that was noted half a minute before. */
  noteUses(grantIds: readonly string[], now: Date): Promise<void>
  noteSteps(steps: readonly { readonly grantId: string; readonly scope: string }[], now: Date): Promise<void>
}

/** A signing key by the number it is derived from; shown to verifiers before it signs and after it signed. */
export type SigningEpoch = { readonly epoch: number; readonly signsFrom: Date; readonly shownUntil: Date | null }

export type WalletClaim = {
  readonly address: Address
  readonly chainId: number
  readonly message: string
  readonly signature: string
  /** Who delivers it, for budgets. */
  readonly from: string
}

export interface WalletProof {
  /** Whether the account signed the text: by its key, or as the contract it is. */
  isSigned(claim: WalletClaim): Promise<boolean>
}

export type FetchedDocument = {
  readonly status: number
  readonly contentType: string
  readonly cacheControl: string
  readonly body: string
  /** There was more than `maxBytes`. */
  readonly isCut: boolean
}

export interface DocumentFetcher {
  /**
   * Fetches once, from a public address it has looked at itself, and follows no redirect. @throws when that address is
   * not public or there was no complete answer in time
   */
  fetch(url: string, bounds: { readonly timeoutMs: number; readonly maxBytes: number }): Promise<FetchedDocument>
}

export type Clock = () => Date
/** So many unguessable bytes. */
export type RandomBytes = (length: number) => Uint8Array
