/** A wallet that may not use the service. */
export type Ban = { readonly wallet: string; readonly reason: string; readonly actor: string; readonly bannedAt: Date }
