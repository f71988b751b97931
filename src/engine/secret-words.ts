// The words that make a field secret if its name, id or label has them. All are whole words in lower case: names such as `cardNumber`,
// `card_number` and `card-number` are split into words first.

/** secret wherever they are in a short label or a name */
export const secretWords =
  'password|passwords|passwd|pwd|passcode|passphrase|cvv|cvv2|cvc|cvc2|otp|totp|2fa|mfa|ssn|apikey|cardnumber|cardno|ccnumber|ccnum|securitycode|onetimecode|verificationcode|api key|access key|secret key|private key|recovery key|access token|api token|auth token|bearer token|card number|card no|cc number|credit card|debit card|social security|security code|card code|one time code|one time password|one time passcode|verification code|authentication code|authenticator code|recovery code|backup code|auth code|login code|sms code|seed phrase|recovery phrase'

/** secret only as the last word, because they have other meanings: "Token amount", "Secret Santa", "PIN to start" */
export const lastSecretWords = 'pass|pin|pin code|pin number|pincode|secret|secrets|token|csc'

/** words after which a last word still counts as the last one */
export const trailingWords = 'required|optional|number|code|here|field|input|value|hash'

/** Chinese has no spaces between words, so these are searched for anywhere */
export const chineseSecretWords =
  '密码|密碼|口令|密钥|密鑰|验证码|驗證碼|校验码|校驗碼|动态码|動態碼|安全码|安全碼|卡号|卡號|身份证|身分證|社保号|令牌|助记词'
