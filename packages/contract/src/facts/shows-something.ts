/** Whatever takes a place and leaves no ink: blanks, what steers a line, what only joins or changes its neighbours. */
const seen = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a reader sees anything of a text: one of blanks and unseen signs alone says nothing (decision 0314). */
export function showsSomething(text: string): boolean {
  return seen.test(text)
}
