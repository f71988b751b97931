// The words that make a field secret if its name, id or label has them. All are whole words in lower case: names such as `cardNumber`,
// `card_number` and `card-number` are split into words first.

/** secret wherever they are in a short label or a name */
export const secretWords =
  'password|passwords|passwd|pwd|passcode|passphrase|cvv|cvv2|cvc|cvc2|cvn|cvn2|otp|totp|2fa|mfa|ssn|apikey|cardnumber|cardno|ccnumber|ccnum|securitycode|onetimecode|verificationcode|api key|access key|secret key|private key|recovery key|access token|api token|auth token|bearer token|card number|card no|bank account number|passport number|passport no|cc number|credit card|debit card|social security|security code|card code|one time code|one time password|one time passcode|verification code|authentication code|authenticator code|recovery code|backup code|auth code|login code|sms code|seed phrase|recovery phrase'

/** secret only as the last word, because they have other meanings: "Token amount", "Secret Santa", "PIN to start" */
export const lastSecretWords = 'pass|pin|pin code|pin number|pincode|secret|secrets|token|csc'

/** words after which a last word still counts as the last one */
export const trailingWords = 'required|optional|number|code|here|field|input|value|hash'

/**
 * Chinese has no spaces between words, so these are searched for anywhere. The page does not know the table of Traditional characters, so
 * both forms are here.
 */
export const chineseSecretWords =
  '密[码碼钥鑰]|口令|([验驗认認][证證証]|[简簡短]信|校[验驗]|[动動][态態]|安全|[随隨][机機]|[备備]用|授[权權]|恢[复復])[码碼]|卡[号號]|[银銀]行[账帳帐賬][号號户戶]|身[份分][证證証]|[证證証]件[号號]|社保[号號]|社[会會]保[险障險][号號卡]|[护護]照([号號]|$)|(通行|[驾駕][驶駛])[证證証][号號]|[军軍]官[证證証]|令牌|私[钥鑰]|助[记記][词詞]'
/** numbers of cards that are no secrets */
export const chineseOtherWords = '([会會][员員]|[积積]分|借[书書]|[学學]生|校[园園]|公交|[购購]物)卡[号號]'
