/** card numbers of the networks in their lengths; thirteen digits are more often a time or an article than an old Visa card */
const card =
  /^(4\d{15}(\d{3})?|(5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(0[0-5]|[68]\d)\d{11}|(35(2[89]|[3-8]\d)|6(011|4[4-9]\d|5\d\d|2\d\d)|9558)\d{12,15})$/
const identityCard = /^[1-8]\d{5}(18|19|20)\d\d(0[1-9]|1[012])(0[1-9]|[12]\d|3[01])\d{3}[\dX]$/i
const longestCard = 19

/**
 * Whether the value of a field is a secret whatever its field is called: the number of a payment card (prefix and length of a network, Luhn)
 * or of a Chinese identity card (region, date of birth, check character of ISO 7064).
 */
export function isSecretValue(value: string): boolean {
  if (value.length < 14 || value.length > 2 * longestCard || !/^\d[\d\s-]*[\dX]$/i.test(value)) return false
  const number = value.replace(/[\s-]/g, '')
  return (card.test(number) && isLuhn(number)) || (identityCard.test(number) && hasCheckCharacter(number))
}

function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = digits.length - 1, doubles = false; i >= 0; i--, doubles = !doubles) {
    const digit = Number(digits[i]) * (doubles ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

function hasCheckCharacter(number: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i++) sum += Number(number[i]) * (2 ** (17 - i) % 11)
  return '10X98765432'[sum % 11] === number[17]?.toUpperCase()
}
