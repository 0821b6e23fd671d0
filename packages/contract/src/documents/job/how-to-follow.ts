/** How the requests of the skill file are read, by a model or by a program. */
export const howToFollow: readonly string[] = [
  '- Put a value in the place of `{name}`. You bring `{wallet}` (your address, lowercase), `{new_key}` (a new UUID, kept when the same request is sent again) and `{photo}` (the bytes of a JPEG). The others are kept from earlier answers.',
  '- In a JSON body put the whole value, with its type, in the place of the text `"{name}"`. In a header an object is written as JSON on one line. In a URL it is percent-encoded, unless it is the whole URL. A field or a header whose value does not exist, or is null, is left out.',
  '- `/a/0/b` is a JSON Pointer (RFC 6901) into the answer.',
  '- *Signed*: add the headers of "Signing". *Only if*: skip the step otherwise. *Answer*: the status of success; with any other, see "Codes".',
  '- *Repeat until*: send it again every 2 seconds until the value is one of these, or until there is one. *Give up if*: this route ends here.',
  '- *Check*: the value must be this one; hex digits are compared without case. If not, stop and sign nothing.',
  '- *Keep*: remember the value under the name. *Sign*: your EIP-712 signature (`eth_signTypedData_v4`) over the typed data there, as `0x` hex; nothing if there is none. A number in it is a JSON number or a text in decimal; in `paymentInfo` the `salt` is a text in hex. A library that asks for the type `EIP712Domain` is given the members that `domain` has, in the order `name`, `version`, `chainId`, `verifyingContract`. *Build*: that part of the answer with these places set; nothing if there is none; *as text* means that it is sent as a text that holds the JSON.',
]
