// Words on buttons as pages have them, by language. `ordinary` ones must not ask.
export interface ButtonWords {
  readonly pay: readonly string[]
  readonly delete: readonly string[]
  readonly submit: readonly string[]
  readonly ordinary: readonly string[]
}

const list = (text: string): readonly string[] => text.trim().split(/\s*\|\s*/)

export const buttonWords: { readonly [language: string]: ButtonWords } = {
  English: {
    pay: list(
      'Pay $24.90 | Buy with 1-Click | Place your order | Complete payment | Subscribe & Pay | Confirm & pay | Renew for $99 | Sell all shares | Wire funds | PayNow | Pay_now | Transfer money | Donate €10 | Start free trial | Place bid | Рay | Upgrade to Pro | One-click order | Order | Continue to payment | Charge card | Refund | Repay | Bid | Bet | Stake | Stake 10 | Swap tokens | Mint | Start your free trial',
    ),
    delete: list(
      'Delete | Delete 3 files | Remove member | Deactivate account | Cancel subscription | Erase all content | Drop database | Ban user | Revoke access | deleteAccount | Yes, delete it | Permanently delete | Unsubscribe | Empty trash | Archive | Terminate session | Cancel my subscription | Cancel your Pro subscription | Move 3 items to trash | Disable 2FA | Rotate keys | Rotate API keys | Stop instance | Log out everywhere',
    ),
    submit: list(
      'Send | Send message | Publish now | Post | Submit application | Sign up | Approve | Accept offer | Merge pull request | Invite people | Create account | Deploy to production | Authorize app | Register | Confirm | Proceed to checkout | Checkout | Proceed | Reset password | Restart server | Restart the server | Make it public',
    ),
    ordinary: list(
      'Next | Previous | Menu | Details | More | Close | Cancel | Back | Search | Filter | Sort by price | Show more | Open | Expand all | Collapse | Settings | Help | Learn more | Add to cart | Log in | Sign in | Profile | Edit | Copy | Zoom in | Play | Pause | Mute | Select all | Apply filters | Clear filters | View order | Order history | Payment methods | My account | Language | Today | Week | Notifications | Add comment box | Upload photo | Preview | Refresh | Posts | Reviews (24) | Delivery options | Tags | Order by | Sort order | Order by price | Swap languages | Rotate image | Restart video | Stop recording | Refund policy | Stop | Log out | Mint green | Reorder',
    ),
  },
  'Chinese (Simplified)': {
    pay: list(
      '立即支付 | 去支付 | 确认付款 | 提交订单 | 立即购买 | 去结算(2) | 结账 | 充值100元 | 确认转账 | 开通会员 | 立即续费 | 马上抢购 | 缴费 | 一键下单 | 确认还款 | 打赏作者 | 立即抢 | 马上抢 | 立刻拥有 | 预订 | 预定酒店',
    ),
    delete: list(
      '删除 | 删 除 | 批量删除 | 清空购物车 | 注销账号 | 取消订单 | 移除成员 | 解散群聊 | 卸载应用 | 撤销发布 | 作废 | 永久删除 | 退订 | 解绑手机 | 移到回收站 | 停用账户 | 停机',
    ),
    submit: list(
      '提交 | 提 交 | 发布 | 发送 | 发表评论 | 注册 | 立即报名 | 授权登录 | 批准 | 签署合同 | 邀请好友 | 确认提交 | 转发 | 回复 | 同意 | 申请退款 | 确定 | 上架 | 合并 | 重启 | 重启服务器 | 发评论',
    ),
    ordinary: list(
      '下一页 | 上一页 | 展开 | 收起 | 更多 | 详情 | 返回 | 取消 | 关闭 | 搜索 | 筛选 | 登录 | 加入购物车 | 收藏 | 设置 | 帮助 | 首页 | 我的 | 菜单 | 编辑 | 复制 | 刷新 | 全部 | 最新 | 价格 | 销量 | 评论 | 历史记录 | 支付方式 | 购买记录 | 已发布 | 发布时间 | 注册资本 | 支付宝登录 | 永久免费 | 查看订单 | 待付款 | 今天 | 确认密码 | 订单详情 | 公开课 | 切换账号 | 换一批 | 语言 | 选择文件 | 上传图片 | 重置 | 上架时间 | 合并单元格 | 我的预订 | 预订须知 | 新品上架 | 已预定',
    ),
  },
  'Chinese (Traditional)': {
    pay: list('立即購買 | 結帳 | 前往結帳 | 送出訂單 | 確認付款 | 儲值 | 轉帳 | 繳費 | 立即訂購 | 下單 | 付費訂閱 | 匯款'),
    delete: list('刪除 | 刪 除 | 刪除帳號 | 移除 | 清空購物車 | 註銷帳戶 | 取消訂單 | 解除綁定 | 永久刪除 | 撤銷 | 解散群組 | 封鎖使用者'),
    submit: list('發佈 | 發布 | 發送 | 送出 | 傳送 | 提交 | 註冊 | 報名 | 確認 | 回覆 | 發表留言 | 核准 | 授權 | 邀請好友'),
    ordinary: list(
      '下一頁 | 上一頁 | 更多 | 關閉 | 取消 | 搜尋 | 登入 | 加入購物車 | 設定 | 說明 | 選單 | 編輯 | 複製 | 查看訂單 | 付款方式 | 購買紀錄 | 展開 | 收合 | 返回 | 語言 | 首頁 | 發佈時間 | 註冊資本',
    ),
  },
  Spanish: {
    pay: list(
      'Pagar | Pagar ahora | Comprar | Comprar ya | Realizar pedido | Finalizar compra | Confirmar pago | Suscribirse | Donar | Transferir dinero | Reservar | Tramitar pedido',
    ),
    delete: list(
      'Eliminar | Borrar | Eliminar cuenta | Borrar todo | Quitar | Cancelar suscripción | Cancelar pedido | Darse de baja | Desactivar cuenta | Vaciar papelera | Bloquear usuario | Revocar acceso',
    ),
    submit: list(
      'Enviar | Enviar mensaje | Publicar | Registrarse | Crear cuenta | Aprobar | Autorizar | Responder | Invitar | Firmar documento | Solicitar | Confirmar',
    ),
    ordinary: list(
      'Siguiente | Anterior | Menú | Detalles | Ver más | Cerrar | Cancelar | Volver | Buscar | Filtrar | Iniciar sesión | Añadir al carrito | Ajustes | Ayuda | Idioma | Editar | Copiar | Mostrar | Ocultar | Métodos de pago | Mis pedidos | Hoy | Perfil | Inicio',
    ),
  },
  French: {
    pay: list(
      'Payer | Payer maintenant | Acheter | Commander | Passer la commande | Valider la commande | Procéder au paiement | S’abonner | Faire un don | Virer | Réserver | Confirmer le paiement',
    ),
    delete: list(
      'Supprimer | Effacer | Supprimer le compte | Tout supprimer | Retirer | Résilier | Annuler la commande | Se désabonner | Vider la corbeille | Désactiver | Bannir | Révoquer',
    ),
    submit: list(
      'Envoyer | Envoyer le message | Publier | S’inscrire | Créer un compte | Approuver | Autoriser | Répondre | Inviter | Signer | Postuler | Confirmer | Soumettre',
    ),
    ordinary: list(
      'Suivant | Précédent | Menu | Détails | Voir plus | Fermer | Annuler | Retour | Rechercher | Filtrer | Se connecter | Ajouter au panier | Paramètres | Aide | Langue | Modifier | Copier | Afficher | Masquer | Moyens de paiement | Mes commandes | Aujourd’hui | Profil | Accueil | À propos de moi',
    ),
  },
  German: {
    pay: list(
      'Bezahlen | Jetzt kaufen | Zahlungspflichtig bestellen | Zur Kasse | Bestellung abschicken | Kauf abschließen | Abonnieren | Spenden | Überweisen | Jetzt buchen | Kaufen | Aufladen',
    ),
    delete: list(
      'Löschen | Konto löschen | Alle löschen | Entfernen | Kündigen | Bestellung stornieren | Abbestellen | Papierkorb leeren | Deaktivieren | Verwerfen | Endgültig löschen | Zugriff widerrufen',
    ),
    submit: list(
      'Senden | Absenden | Nachricht senden | Veröffentlichen | Registrieren | Konto erstellen | Genehmigen | Antworten | Einladen | Unterschreiben | Jetzt bewerben | Bestätigen | Einreichen',
    ),
    ordinary: list(
      'Weiter | Zurück | Menü | Details | Mehr anzeigen | Schließen | Abbrechen | Suchen | Filtern | Anmelden | In den Warenkorb | Einstellungen | Hilfe | Sprache | Bearbeiten | Kopieren | Anzeigen | Ausblenden | Zahlungsarten | Meine Bestellungen | Heute | Profil | Startseite',
    ),
  },
  Portuguese: {
    pay: list(
      'Pagar | Comprar agora | Finalizar compra | Fazer pedido | Confirmar pagamento | Assinar agora | Doar | Transferir | Reservar | Fechar pedido | Fazer um Pix | Recarregar',
    ),
    delete: list(
      'Excluir | Apagar | Excluir conta | Remover | Eliminar | Cancelar assinatura | Cancelar pedido | Desativar conta | Esvaziar lixeira | Banir | Revogar acesso | Desinstalar',
    ),
    submit: list(
      'Enviar | Enviar mensagem | Publicar | Cadastrar | Criar conta | Aprovar | Autorizar | Responder | Convidar | Inscrever-se | Solicitar | Confirmar',
    ),
    ordinary: list(
      'Próximo | Anterior | Menu | Detalhes | Ver mais | Fechar | Cancelar | Voltar | Buscar | Filtrar | Entrar | Adicionar ao carrinho | Configurações | Ajuda | Idioma | Editar | Copiar | Mostrar | Ocultar | Formas de pagamento | Meus pedidos | Hoje | Perfil | Início',
    ),
  },
  Russian: {
    pay: list(
      'Оплатить | Купить | Купить в один клик | Оформить заказ | Перейти к оплате | Подписаться | Пожертвовать | Перевести | Забронировать | Заказать | Пополнить счёт | Подтвердить оплату',
    ),
    delete: list(
      'Удалить | Удалить аккаунт | Очистить корзину | Убрать | Отменить заказ | Отписаться | Отменить подписку | Заблокировать | Стереть всё | Деактивировать | Отозвать доступ | Удалить навсегда',
    ),
    submit: list(
      'Отправить | Отправить сообщение | Опубликовать | Зарегистрироваться | Создать аккаунт | Одобрить | Подтвердить | Ответить | Пригласить | Подписать | Подать заявку | Разместить объявление',
    ),
    ordinary: list(
      'Далее | Назад | Меню | Подробнее | Показать ещё | Закрыть | Отмена | Поиск | Фильтр | Войти | В корзину | Настройки | Помощь | Язык | Изменить | Копировать | Показать | Скрыть | Способы оплаты | Мои заказы | Сегодня | Профиль | Главная',
    ),
  },
  Japanese: {
    pay: list(
      '購入する | 今すぐ購入 | 注文を確定する | レジに進む | お支払い | 予約する | 定期購入 | 寄付する | 振り込む | チャージする | 決済する | 購入 | 注文確定',
    ),
    delete: list(
      '削除 | 削除する | アカウントを削除 | 消去 | 退会する | 解約 | 注文をキャンセル | ブロックする | ゴミ箱を空にする | 登録解除 | 無効化 | 取り消す',
    ),
    submit: list(
      '送信 | 送信する | 投稿する | 公開する | 登録する | 会員登録 | 承認する | 返信 | 招待する | 応募する | 申請する | コメントを投稿 | アカウント作成 | 確定',
    ),
    ordinary: list(
      '次へ | 前へ | メニュー | 詳細 | もっと見る | 閉じる | キャンセル | 戻る | 検索 | 絞り込み | ログイン | カートに入れる | 設定 | ヘルプ | 言語 | 編集 | コピー | 表示 | 非表示 | 支払い方法 | 購入履歴 | 今日 | プロフィール | ホーム | 投稿日',
    ),
  },
  Arabic: {
    pay: list(
      'ادفع الآن | الدفع | اشتر الآن | إتمام الشراء | تأكيد الطلب | إتمام الطلب | اشترك الآن | تبرع | تحويل الأموال | احجز الآن | شراء | تأكيد الدفع',
    ),
    delete: list(
      'حذف | حذف الحساب | إزالة | مسح الكل | إلغاء الطلب | إلغاء الاشتراك | تعطيل الحساب | حظر | إفراغ السلة | حذف نهائي | إغلاق الحساب | إلغاء الحجز',
    ),
    submit: list('إرسال | إرسال الرسالة | نشر | إنشاء حساب | تسجيل حساب جديد | موافقة | تأكيد | رد | دعوة | توقيع | تقديم الطلب | اعتماد'),
    ordinary: list(
      'التالي | السابق | القائمة | التفاصيل | المزيد | إغلاق | إلغاء | رجوع | بحث | تصفية | تسجيل الدخول | أضف إلى السلة | الإعدادات | مساعدة | اللغة | تعديل | نسخ | عرض | إخفاء | طرق الدفع | طلباتي | اليوم | الملف الشخصي | الرئيسية',
    ),
  },
  Hindi: {
    pay: list(
      'भुगतान करें | अभी खरीदें | ऑर्डर करें | बुक करें | पैसे भेजें | दान करें | रिचार्ज करें | सदस्यता लें | खरीदें | ऑर्डर की पुष्टि करें | अभी भुगतान करें | चेकआउट करें',
    ),
    delete: list(
      'हटाएं | मिटाएं | खाता हटाएं | डिलीट करें | सब साफ़ करें | ऑर्डर रद्द करें | सदस्यता रद्द करें | ब्लॉक करें | निष्क्रिय करें | खाली करें | अनइंस्टॉल करें | स्थायी रूप से हटाएं',
    ),
    submit: list(
      'भेजें | संदेश भेजें | प्रकाशित करें | सबमिट करें | खाता बनाएं | साइन अप करें | स्वीकृत करें | जवाब दें | आमंत्रित करें | पुष्टि करें | आवेदन करें | पोस्ट करें',
    ),
    ordinary: list(
      'अगला | पिछला | मेनू | विवरण | और देखें | बंद करें | रद्द करें | वापस | खोजें | फ़िल्टर | लॉग इन करें | कार्ट में जोड़ें | सेटिंग | सहायता | भाषा | संपादित करें | कॉपी करें | दिखाएं | छिपाएं | भुगतान के तरीके | मेरे ऑर्डर | आज | प्रोफ़ाइल | होम',
    ),
  },
  Korean: {
    pay: list(
      '결제하기 | 구매하기 | 바로구매 | 주문하기 | 구독하기 | 후원하기 | 송금하기 | 충전하기 | 예약하기 | 결제 진행 | 이체 | 기부하기',
    ),
    delete: list(
      '삭제 | 계정 삭제 | 제거 | 회원 탈퇴 | 주문 취소 | 구독 취소 | 차단하기 | 비우기 | 초기화 | 영구 삭제 | 지우기 | 해지하기',
    ),
    submit: list('보내기 | 전송 | 게시 | 등록하기 | 제출 | 회원가입 | 승인 | 답글 달기 | 초대하기 | 신청하기 | 서명 | 수락'),
    ordinary: list(
      '다음 | 이전 | 메뉴 | 상세보기 | 더보기 | 닫기 | 취소 | 뒤로 | 검색 | 필터 | 로그인 | 장바구니 담기 | 설정 | 도움말 | 언어 | 편집 | 복사 | 보기 | 숨기기 | 결제 수단 | 주문 내역 | 오늘 | 프로필 | 홈',
    ),
  },
  Italian: {
    pay: list(
      'Paga ora | Acquista | Compra ora | Procedi al pagamento | Conferma ordine | Abbonati | Dona | Prenota | Invia denaro | Ordina ora | Ricarica | Concludi l’acquisto',
    ),
    delete: list(
      'Elimina | Cancella | Elimina account | Rimuovi | Svuota cestino | Disdici | Annulla ordine | Annulla abbonamento | Disattiva | Disinstalla | Revoca accesso | Blocca utente',
    ),
    submit: list(
      'Invia | Invia messaggio | Pubblica | Registrati | Crea account | Approva | Autorizza | Rispondi | Invita | Iscriviti | Conferma | Candidati',
    ),
    ordinary: list(
      'Avanti | Indietro | Menu | Dettagli | Mostra altro | Chiudi | Annulla | Cerca | Filtra | Accedi | Aggiungi al carrello | Impostazioni | Aiuto | Lingua | Modifica | Copia | Mostra | Nascondi | Metodi di pagamento | I miei ordini | Oggi | Profilo | Home',
    ),
  },
  Turkish: {
    pay: list(
      'Öde | Satın al | Hemen al | Sipariş ver | Siparişi onayla | Ödemeyi tamamla | Abone ol | Bağış yap | Para gönder | Rezervasyon yap | Ödemeye geç | Kirala',
    ),
    delete: list(
      'Sil | Hesabı sil | Tümünü sil | Kaldır | Siparişi iptal et | Aboneliği iptal et | Devre dışı bırak | Çöp kutusunu boşalt | Engelle | Hesabı kapat | Kalıcı olarak sil | Temizle',
    ),
    submit: list(
      'Gönder | Mesaj gönder | Yayınla | Kaydol | Üye ol | Hesap oluştur | Onayla | Yanıtla | Davet et | İmzala | Başvur | Paylaş',
    ),
    ordinary: list(
      'İleri | Geri | Menü | Ayrıntılar | Daha fazla | Kapat | İptal | Ara | Filtrele | Giriş yap | Sepete ekle | Ayarlar | Yardım | Dil | Düzenle | Kopyala | Göster | Gizle | Ödeme yöntemleri | Siparişlerim | Bugün | Profil | Ana sayfa',
    ),
  },
}

/** Buttons of Chinese pages with spaces, Traditional characters, and nouns after verbs, with the class that matters; '' is none. */
export const chineseButtons: readonly [string, string][] = [
  ...list(
    '删 除 | 删　除 | 刪除 | 刪除帳號 | 註銷帳戶 | 取消訂單 | 撤销 | 作废 | 永久刪除 | 移除 | 清空 | 清 空 | 解 绑 | 批 量 删 除',
  ).map((name): [string, string] => [name, 'delete']),
  ...list(
    '立即購買 | 下單 | 送出訂單 | 結帳 | 付費 | 轉帳 | 匯款 | 儲值 | 訂購 | 去结算 | 结算(2) | 结账 | 立即抢购 | 秒杀 | 缴费 | 立即缴费 | 还款 | 发红包 | 投保 | 立即续费 | 兑换 | 抢票 | 挂号 | 买它 | 确认收货 | 支 付 | 提交订单 | 立即支付 | 支付宝支付 | 免密支付',
  ).map((name): [string, string] => [name, 'pay']),
  ...list(
    '提 交 | 確 定 | 確認 | 發布 | 發佈 | 發送 | 送出 | 傳送 | 註冊 | 報名 | 回覆 | 申请退款 | 退货 | 确定 | 同意 | 转发 | 发 布 | 提交表单 | 发送邀请函 | 提交申请 | 注 册',
  ).map((name): [string, string] => [name, 'submit']),
  ...list('下載 | 匯出 | 导 出').map((name): [string, string] => [name, 'download']),
  ...list(
    '支付宝登录 | 永久免费 | 注册资本 | 上线时间 | 发送时间 | 提交时间 | 已确认 | 邀请函模板 | 全部回复(12) | 查 询 | 取 消 | 取消 | 下一步 | 展开 | 重 置 | 搜 索 | 登 录 | 加入购物车 | 已付款 | 待付款 | 支付方式 | 购买须知 | 注册地址 | 发布日期 | 已签收 | 付款记录 | 授权书 | 确认函 | 下载次数 | 我的发布 | 发布者 | 报名人数 | 立即登录',
  ).map((name): [string, string] => [name, '']),
]
