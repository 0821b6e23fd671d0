/**
 * How a budget in all is kept from a crowd, each of which stays within its own limits (decision 0317). Wallets are made
 * for nothing and addresses are cheap, so whoever has proven nothing yet shares a part, and that part has an order.
 */
export type NewcomerShares = {
  /** What all newcomers together may use; the rest is kept for wallets with paid work behind them. */
  readonly inAll: number
  /** Of one network: a near one is a /24, or a /48 of IPv6, a wide one a /16 or a /32. */
  readonly ofNear: number
  readonly ofWide: number
  /** What an address may use while little is left. */
  readonly few: number
}

/** Too little to be shared out goes to who comes first. */
const leastShared = 40

/** What of a budget is kept for who has paid work behind them, where an act has a wallet. */
const keptForProven = 1 / 4

/** Null where there is nothing to share; without a limit of an address its networks have none either. */
export function newcomerShares(
  { ofAddress, inAll: whole }: { readonly ofAddress: number; readonly inAll: number },
  kept: number = keptForProven,
): NewcomerShares | null {
  if (whole < leastShared) return null
  const inAll = Math.floor(whole * (1 - kept))
  if (ofAddress === 0) return { inAll, ofNear: 0, ofWide: 0, few: 0 }
  return {
    inAll,
    ofNear: Math.max(ofAddress, Math.floor(inAll / 8)),
    ofWide: Math.max(ofAddress, Math.floor(inAll / 4)),
    few: Math.max(1, Math.floor(ofAddress / 30)),
  }
}

/** What of a share may be used when so much of the day has passed: a third at once, the rest evenly. */
export const dealtOut = (share: number, passed: number): number => Math.floor((share * (1 + 2 * passed)) / 3)

/** How much of the day has passed when so much of a share is dealt out; more than 1: not today. */
export const passedWhen = (share: number, needed: number): number => ((needed / share) * 3 - 1) / 2

/** Whether addresses that had a few wait for those that had none. */
export const isScarce = (used: number, dealt: number): boolean => used * 2 >= dealt

/** Of what is held for as long as it is needed: of a network a quarter and a half, and a few while half is taken. */
export function seatShares({
  ofAddress,
  inAll,
}: {
  readonly ofAddress: number
  readonly inAll: number
}): Omit<NewcomerShares, 'inAll'> {
  // Where one address may hold all of them there is nothing to share.
  if (inAll < leastShared || ofAddress >= inAll) return { ofNear: inAll, ofWide: inAll, few: ofAddress }
  return {
    ofNear: Math.max(ofAddress, Math.floor(inAll / 4)),
    ofWide: Math.max(ofAddress, Math.floor(inAll / 2)),
    few: Math.max(1, Math.floor(ofAddress / 10)),
  }
}
