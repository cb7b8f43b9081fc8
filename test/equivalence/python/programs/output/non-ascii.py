print('héllo ✓ 😀', '中文')
