/** What this deployment pays the gas of in a day, rows of the settings page. */
export const gasRows = [
  {
    name: 'SVC_PAYMENTS_PER_WALLET',
    default: '500, none where localnet alone is served',
    says: 'Locks and direct payments that one wallet begins in a UTC day; the gas is paid here. A job without escrow counts two. 0 is no limit.',
  },
  {
    name: 'SVC_PAYMENTS_PER_ADDRESS',
    default: '1000, none where localnet alone is served',
    says: 'The same of one caller: an address, or an IPv6 /64.',
  },
  {
    name: 'SVC_PAYMENTS_PER_DAY',
    default: '20000, none where localnet alone is served',
    says: 'The same in all; about 400,000 gas each. A quarter is kept for wallets with paid work, the rest is dealt out over the day.',
  },
  {
    name: 'SVC_CASH_OUTS_PER_DAY',
    default: '500',
    says: 'Earnings that wallets send on without gas, in a UTC day in all; about 100,000 gas each; 0 lets none.',
  },
]
