/** The escrow's PaymentInfo struct as a parameter, in the order its hash fixes. */
export const paymentInfo = {
  name: 'paymentInfo',
  type: 'tuple',
  components: [
    { type: 'address', name: 'operator' },
    { type: 'address', name: 'payer' },
    { type: 'address', name: 'receiver' },
    { type: 'address', name: 'token' },
    { type: 'uint120', name: 'maxAmount' },
    { type: 'uint48', name: 'preApprovalExpiry' },
    { type: 'uint48', name: 'authorizationExpiry' },
    { type: 'uint48', name: 'refundExpiry' },
    { type: 'uint16', name: 'minFeeBps' },
    { type: 'uint16', name: 'maxFeeBps' },
    { type: 'address', name: 'feeReceiver' },
    { type: 'uint256', name: 'salt' },
  ],
} as const
