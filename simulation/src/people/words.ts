/** By these words a ruling of an arbiter is known from what the service decided when nobody did. */
export const arbiterReason = 'As it was seen.'
