/* SPDX-License-Identifier: Apache-2.0
 * Made by tools/derive-math-coefficients; do not edit. Polynomials of the device math library as
 * Horner chains of fused multiply-adds. The comment gives interval and largest error of the rounded
 * polynomial, relative to the function's largest value there. */

/* exp: [-0.3467, 0.3467], 4.53e-18 */
GKM double gk_p_exp(double x)
{
    double r = 0x1.1f7315649f2b1p-29;
    r = gk_fma(r, x, 0x1.af4e092e1705bp-26);
    r = gk_fma(r, x, 0x1.27e4db5bb725ap-22);
    r = gk_fma(r, x, 0x1.71de02225a2f3p-19);
    r = gk_fma(r, x, 0x1.a01a01a6db488p-16);
    r = gk_fma(r, x, 0x1.a01a01abeccc3p-13);
    r = gk_fma(r, x, 0x1.6c16c16c162cfp-10);
    r = gk_fma(r, x, 0x1.11111111100d3p-7);
    r = gk_fma(r, x, 0x1.5555555555556p-5);
    r = gk_fma(r, x, 0x1.5555555555557p-3);
    r = gk_fma(r, x, 0x1.0000000000000p-1);
    return r;
}
/* log: [0.0, 0.02945], 5.48e-17 */
GKM double gk_p_log(double x)
{
    double r = 0x1.0c06cf14c641bp-3;
    r = gk_fma(r, x, 0x1.0fbe478772696p-3);
    r = gk_fma(r, x, 0x1.3b1c38474d3eep-3);
    r = gk_fma(r, x, 0x1.745cf8f6c9119p-3);
    r = gk_fma(r, x, 0x1.c71c72017a15cp-3);
    r = gk_fma(r, x, 0x1.2492492476ba1p-2);
    r = gk_fma(r, x, 0x1.9999999999a38p-2);
    r = gk_fma(r, x, 0x1.5555555555555p-1);
    return r;
}
/* log5: [0.0, 0.02945], 7.46e-16 */
GKM double gk_p_log5(double x)
{
    double r = 0x1.087aabe253d9cp-3;
    r = gk_fma(r, x, 0x1.10188237ff7e4p-3);
    r = gk_fma(r, x, 0x1.3b18ba4163286p-3);
    r = gk_fma(r, x, 0x1.745d09ebc663ep-3);
    r = gk_fma(r, x, 0x1.c71c71d7ef489p-3);
    r = gk_fma(r, x, 0x1.249249248e511p-2);
    r = gk_fma(r, x, 0x1.999999999999ep-2);
    return r;
}
/* sin: [0.0, 0.617], 5.55e-17 */
GKM double gk_p_sin(double x)
{
    double r = -0x1.ab179e14267cdp-41;
    r = gk_fma(r, x, 0x1.61217eaffbfdbp-33);
    r = gk_fma(r, x, -0x1.ae64541251e39p-26);
    r = gk_fma(r, x, 0x1.71de3a5460533p-19);
    r = gk_fma(r, x, -0x1.a01a01a019936p-13);
    r = gk_fma(r, x, 0x1.1111111111110p-7);
    r = gk_fma(r, x, -0x1.5555555555555p-3);
    return r;
}
/* cos: [0.0, 0.617], 5.55e-17 */
GKM double gk_p_cos(double x)
{
    double r = 0x1.ab782b04de8dep-45;
    r = gk_fma(r, x, -0x1.9394b9bb6e16dp-37);
    r = gk_fma(r, x, 0x1.1eed8deb644b7p-29);
    r = gk_fma(r, x, -0x1.27e4fb7712b8cp-22);
    r = gk_fma(r, x, 0x1.a01a01a019d09p-16);
    r = gk_fma(r, x, -0x1.6c16c16c16c16p-10);
    r = gk_fma(r, x, 0x1.5555555555555p-5);
    return r;
}
/* atan: [0.0, 0.1716], 6.13e-17 */
GKM double gk_p_atan(double x)
{
    double r = -0x1.c80183a6f4d8cp-7;
    r = gk_fma(r, x, 0x1.f5e70778c399ap-6);
    r = gk_fma(r, x, -0x1.503a72dea3f41p-5);
    r = gk_fma(r, x, 0x1.829c6fefc6aacp-5);
    r = gk_fma(r, x, -0x1.aebd0d9afbb7ap-5);
    r = gk_fma(r, x, 0x1.e1d8e7e3671b7p-5);
    r = gk_fma(r, x, -0x1.1110ced7ae904p-4);
    r = gk_fma(r, x, 0x1.3b13aea92b800p-4);
    r = gk_fma(r, x, -0x1.745d17355fb40p-4);
    r = gk_fma(r, x, 0x1.c71c71c6dda8cp-4);
    r = gk_fma(r, x, -0x1.24924924920acp-3);
    r = gk_fma(r, x, 0x1.9999999999997p-3);
    r = gk_fma(r, x, -0x1.5555555555555p-2);
    return r;
}
/* asin: [0.0, 0.25], 5.04e-17 */
GKM double gk_p_asin(double x)
{
    double r = 0x1.e529c6fce9bb4p-6;
    r = gk_fma(r, x, -0x1.3b416bb7d9257p-6);
    r = gk_fma(r, x, 0x1.406192d124629p-6);
    r = gk_fma(r, x, 0x1.8f193743418ffp-9);
    r = gk_fma(r, x, 0x1.31622469ce5adp-7);
    r = gk_fma(r, x, 0x1.3b49de7121487p-7);
    r = gk_fma(r, x, 0x1.7b027ee1dd585p-7);
    r = gk_fma(r, x, 0x1.c990ad3d8fdcap-7);
    r = gk_fma(r, x, 0x1.1c4efce23019fp-6);
    r = gk_fma(r, x, 0x1.6e8ba123e494cp-6);
    r = gk_fma(r, x, 0x1.f1c71c7a52ba3p-6);
    r = gk_fma(r, x, 0x1.6db6db6dac1e0p-5);
    r = gk_fma(r, x, 0x1.3333333333388p-4);
    r = gk_fma(r, x, 0x1.5555555555555p-3);
    return r;
}
/* erf: [0.0, 1.0], 1.03e-16 */
GKM double gk_p_erf(double x)
{
    double r = 0x1.05ffd737fb32ep-34;
    r = gk_fma(r, x, -0x1.389d4f2641625p-30);
    r = gk_fma(r, x, 0x1.f7b4bf3b13964p-27);
    r = gk_fma(r, x, -0x1.5f1ecb6f0764cp-23);
    r = gk_fma(r, x, 0x1.b9df224ca4b97p-20);
    r = gk_fma(r, x, -0x1.f4d1e3183f7aep-17);
    r = gk_fma(r, x, 0x1.f9a321d5b8e1ep-14);
    r = gk_fma(r, x, -0x1.c02db3dac435fp-11);
    r = gk_fma(r, x, 0x1.565bcd0dbaa38p-8);
    r = gk_fma(r, x, -0x1.b82ce31284e00p-6);
    r = gk_fma(r, x, 0x1.ce2f21a042b30p-4);
    r = gk_fma(r, x, -0x1.812746b0379e6p-2);
    r = gk_fma(r, x, 0x1.06eba8214db69p-3);
    return r;
}
/* erfcx: [-1.0, 1.0], 3.8e-17 */
GKM double gk_p_erfcx(double x)
{
    double r = 0x1.7d604a7f621f4p-35;
    r = gk_fma(r, x, -0x1.2dbbbb75b6682p-33);
    r = gk_fma(r, x, -0x1.2d277a41632e3p-31);
    r = gk_fma(r, x, 0x1.ebb009434f4efp-30);
    r = gk_fma(r, x, 0x1.117f492198859p-28);
    r = gk_fma(r, x, -0x1.f9443297365a1p-27);
    r = gk_fma(r, x, -0x1.78888d24fa8a1p-26);
    r = gk_fma(r, x, 0x1.d8d5b12b4bdebp-24);
    r = gk_fma(r, x, 0x1.5305495fa5317p-24);
    r = gk_fma(r, x, -0x1.badf24e872985p-21);
    r = gk_fma(r, x, 0x1.385bb6c82456ap-22);
    r = gk_fma(r, x, 0x1.7f235478fdcf6p-18);
    r = gk_fma(r, x, -0x1.788189c990557p-17);
    r = gk_fma(r, x, -0x1.9958a8c635c6bp-16);
    r = gk_fma(r, x, 0x1.3be032de511d3p-13);
    r = gk_fma(r, x, -0x1.a1df2ad41dddep-13);
    r = gk_fma(r, x, -0x1.8d4a9990c5199p-11);
    r = gk_fma(r, x, 0x1.49c6728db72cdp-8);
    r = gk_fma(r, x, -0x1.0962388548d8dp-6);
    r = gk_fma(r, x, 0x1.3079edf668f38p-5);
    r = gk_fma(r, x, -0x1.0fb06dfe48b0ep-4);
    r = gk_fma(r, x, 0x1.7fee004e13186p-4);
    r = gk_fma(r, x, -0x1.9ddb23c3e9106p-4);
    r = gk_fma(r, x, 0x1.16ecefcfa533fp-4);
    r = gk_fma(r, x, 0x1.f7f5df66fd7bep-7);
    r = gk_fma(r, x, -0x1.1df1ad154a28ep-3);
    r = gk_fma(r, x, 0x1.3ba5916e9fd7fp+0);
    return r;
}
/* erfinv1: [0.0, 6.25], 1.47e-17 */
GKM double gk_p_erfinv1(double x)
{
    x -= 0x1.9000000000000p+1;
    double r = -0x1.b2643e45e1856p-72;
    r = gk_fma(r, x, 0x1.e2aa7ddd776b6p-69);
    r = gk_fma(r, x, 0x1.79a647e43b44ep-66);
    r = gk_fma(r, x, -0x1.9a137911c05cfp-62);
    r = gk_fma(r, x, 0x1.669b9213d3cdfp-61);
    r = gk_fma(r, x, 0x1.1e1f9ee618b29p-56);
    r = gk_fma(r, x, -0x1.19ac650194dcap-53);
    r = gk_fma(r, x, -0x1.6b6b0fc6a580fp-55);
    r = gk_fma(r, x, 0x1.d5e95ecc5f898p-48);
    r = gk_fma(r, x, -0x1.6877e8ae70f27p-45);
    r = gk_fma(r, x, -0x1.6b86f85109f07p-44);
    r = gk_fma(r, x, 0x1.7236b79e1d57ep-39);
    r = gk_fma(r, x, -0x1.c8a6afa1550f4p-37);
    r = gk_fma(r, x, -0x1.dc3f457145cd3p-35);
    r = gk_fma(r, x, 0x1.20f544d62fff1p-30);
    r = gk_fma(r, x, -0x1.1a9eb00326b9bp-28);
    r = gk_fma(r, x, -0x1.f36ceed4416aep-26);
    r = gk_fma(r, x, 0x1.c6b4f8868f532p-22);
    r = gk_fma(r, x, -0x1.6e8a53c7ac2ffp-20);
    r = gk_fma(r, x, -0x1.d1d1f7c9ffa6dp-17);
    r = gk_fma(r, x, 0x1.879c2a20aeb2ep-13);
    r = gk_fma(r, x, -0x1.84576948359ddp-11);
    r = gk_fma(r, x, -0x1.8b6c33114ea2fp-8);
    r = gk_fma(r, x, 0x1.ebd80d9b13dfap-3);
    r = gk_fma(r, x, 0x1.a755e7c99ae86p+0);
    return r;
}
/* erfinv2: [2.5, 4.0], 6.06e-17 */
GKM double gk_p_erfinv2(double x)
{
    x -= 0x1.a000000000000p+1;
    double r = -0x1.03765b5ec5c93p-26;
    r = gk_fma(r, x, 0x1.7f235c757454ep-31);
    r = gk_fma(r, x, 0x1.1969ef2a93940p-23);
    r = gk_fma(r, x, -0x1.235ac6aaf025ep-22);
    r = gk_fma(r, x, -0x1.cfedcff902170p-26);
    r = gk_fma(r, x, 0x1.924ec74d8058bp-20);
    r = gk_fma(r, x, -0x1.0b8068913d37bp-18);
    r = gk_fma(r, x, 0x1.88af4a1d56a98p-19);
    r = gk_fma(r, x, 0x1.a242f876789c6p-17);
    r = gk_fma(r, x, -0x1.8cf0bea0971c6p-15);
    r = gk_fma(r, x, 0x1.1e6ab36be6c27p-14);
    r = gk_fma(r, x, 0x1.932d7684a6a52p-16);
    r = gk_fma(r, x, -0x1.7448bc8217f18p-12);
    r = gk_fma(r, x, 0x1.f3cc552091e2bp-11);
    r = gk_fma(r, x, -0x1.ba9240d9b7431p-10);
    r = gk_fma(r, x, 0x1.468eeca71fc73p-9);
    r = gk_fma(r, x, -0x1.ebadabb9fd945p-9);
    r = gk_fma(r, x, 0x1.5ffcfe5b71831p-8);
    r = gk_fma(r, x, 0x1.0158a6d641d54p+0);
    r = gk_fma(r, x, 0x1.8abcc380d5a48p+1);
    return r;
}
/* erfinv3: [4.0, 8.5625], 3.45e-17 */
GKM double gk_p_erfinv3(double x)
{
    x -= 0x1.9200000000000p+2;
    double r = 0x1.c3c381bb0459cp-58;
    r = gk_fma(r, x, -0x1.3000547ea76b8p-55);
    r = gk_fma(r, x, -0x1.543c0cc984688p-54);
    r = gk_fma(r, x, 0x1.8f9bcdc98c301p-51);
    r = gk_fma(r, x, -0x1.1a42f9180bf4ap-51);
    r = gk_fma(r, x, -0x1.6c748daff47f8p-49);
    r = gk_fma(r, x, -0x1.1416e2abe2003p-48);
    r = gk_fma(r, x, 0x1.20665039427cbp-45);
    r = gk_fma(r, x, -0x1.fbdc6e08047d3p-46);
    r = gk_fma(r, x, -0x1.be63dbf42a1b1p-46);
    r = gk_fma(r, x, -0x1.e323dc8eed5eep-44);
    r = gk_fma(r, x, 0x1.6f1d27b9f9936p-41);
    r = gk_fma(r, x, -0x1.6eae8bc1a9a83p-39);
    r = gk_fma(r, x, 0x1.163ea0ebf7579p-36);
    r = gk_fma(r, x, -0x1.c6e6c1022989cp-34);
    r = gk_fma(r, x, 0x1.68927b7caeb7ep-31);
    r = gk_fma(r, x, -0x1.16b513e88042bp-28);
    r = gk_fma(r, x, 0x1.a252adf0da673p-26);
    r = gk_fma(r, x, -0x1.2dd7205555003p-23);
    r = gk_fma(r, x, 0x1.9b76e048063acp-21);
    r = gk_fma(r, x, -0x1.fd7446bc507c4p-19);
    r = gk_fma(r, x, 0x1.fe600acc9ae6cp-17);
    r = gk_fma(r, x, -0x1.786bdef5a81a3p-16);
    r = gk_fma(r, x, -0x1.0619011885c61p-11);
    r = gk_fma(r, x, 0x1.02637f9f4e06ep+0);
    r = gk_fma(r, x, 0x1.89347372ef6cep+2);
    return r;
}
/* erfinv4: [0.035156, 0.11719], 9.57e-17 */
GKM double gk_p_erfinv4(double x)
{
    x -= 0x1.3800000000000p-4;
    double r = 0x1.44c18c887c47fp+52;
    r = gk_fma(r, x, -0x1.cc97b3dda7aa8p+48);
    r = gk_fma(r, x, -0x1.437dbb79828e6p+41);
    r = gk_fma(r, x, 0x1.4162f54b8fe5dp+37);
    r = gk_fma(r, x, 0x1.316a76b45c502p+37);
    r = gk_fma(r, x, -0x1.c8a250b32748dp+33);
    r = gk_fma(r, x, 0x1.0a2a01a12040dp+30);
    r = gk_fma(r, x, -0x1.a7e1f7c12a245p+26);
    r = gk_fma(r, x, 0x1.669b4f40dcbf5p+23);
    r = gk_fma(r, x, -0x1.2c630898e346ap+20);
    r = gk_fma(r, x, 0x1.04db61e4f1175p+17);
    r = gk_fma(r, x, -0x1.dd1754289158ap+13);
    r = gk_fma(r, x, 0x1.d179bb25872a1p+10);
    r = gk_fma(r, x, -0x1.efc7405601203p+7);
    r = gk_fma(r, x, 0x1.2ac7f4ab591adp+5);
    r = gk_fma(r, x, -0x1.cb190f12d09f1p+2);
    r = gk_fma(r, x, 0x1.14936b33c5ee3p+1);
    r = gk_fma(r, x, -0x1.ef89a4e1f69d4p-2);
    r = gk_fma(r, x, -0x1.31e7e191a3b12p-3);
    r = gk_fma(r, x, 0x1.fc59269eaa833p-1);
    return r;
}
/* rgamma: [-0.5, 0.5], 4.15e-18 */
GKM double gk_p_rgamma(double x)
{
    double r = -0x1.5a7ce0d62d36cp-30;
    r = gk_fma(r, x, 0x1.b5ce829b9edd0p-28);
    r = gk_fma(r, x, -0x1.6b83a3b7f2a21p-33);
    r = gk_fma(r, x, -0x1.b95766476db40p-23);
    r = gk_fma(r, x, 0x1.674d37f037915p-20);
    r = gk_fma(r, x, -0x1.5b7cdd320a207p-19);
    r = gk_fma(r, x, -0x1.265ee50341814p-16);
    r = gk_fma(r, x, 0x1.3156553b7dd5bp-13);
    r = gk_fma(r, x, -0x1.7a5da9eb2dfa8p-12);
    r = gk_fma(r, x, -0x1.a5b350a5eb124p-11);
    r = gk_fma(r, x, 0x1.06e8179e66e49p-7);
    r = gk_fma(r, x, -0x1.2119851175b06p-6);
    r = gk_fma(r, x, -0x1.92449b66f2a53p-6);
    r = gk_fma(r, x, 0x1.875ac5782250cp-3);
    r = gk_fma(r, x, -0x1.dd603fb6ac11bp-3);
    r = gk_fma(r, x, -0x1.b0ee6072093cep-2);
    r = gk_fma(r, x, 0x1.0000000000000p+0);
    return r;
}
/* lgamma: [-0.5, 0.5], 2.35e-17 */
GKM double gk_p_lgamma(double x)
{
    double r = 0x1.11fa5e7c86f7bp-24;
    r = gk_fma(r, x, -0x1.2009c1a550d0dp-23);
    r = gk_fma(r, x, 0x1.b40adb09a1e12p-23);
    r = gk_fma(r, x, -0x1.ce17528bcf460p-22);
    r = gk_fma(r, x, 0x1.012012be3900ap-20);
    r = gk_fma(r, x, -0x1.1276ebd557fb0p-19);
    r = gk_fma(r, x, 0x1.258f3057730fap-18);
    r = gk_fma(r, x, -0x1.3cb3be36ad88bp-17);
    r = gk_fma(r, x, 0x1.580e0afa55850p-16);
    r = gk_fma(r, x, -0x1.78de9ab752b81p-15);
    r = gk_fma(r, x, 0x1.a127afee53e7dp-14);
    r = gk_fma(r, x, -0x1.d3fd4b679c1c4p-13);
    r = gk_fma(r, x, 0x1.0b36af8779ca0p-11);
    r = gk_fma(r, x, -0x1.38ac5c2d48207p-10);
    r = gk_fma(r, x, 0x1.7add6eadb5317p-9);
    r = gk_fma(r, x, -0x1.e404fc218dbaep-8);
    r = gk_fma(r, x, 0x1.51322ac7d848ap-6);
    r = gk_fma(r, x, -0x1.13e001a55760ap-4);
    r = gk_fma(r, x, 0x1.4a34cc4a60fa6p-2);
    r = gk_fma(r, x, 0x1.b0ee6072093cep-2);
    return r;
}
/* stirling: [0.0, 0.015625], 5.55e-17 */
GKM double gk_p_stirling(double x)
{
    double r = 0x1.c29fa984fd96ep-4;
    r = gk_fma(r, x, -0x1.c6897db52d634p-6);
    r = gk_fma(r, x, 0x1.a2565f7c03969p-8);
    r = gk_fma(r, x, -0x1.f69af4cedb3c1p-10);
    r = gk_fma(r, x, 0x1.b951b7066a805p-11);
    r = gk_fma(r, x, -0x1.381381168d370p-11);
    r = gk_fma(r, x, 0x1.a01a01a00d0c8p-11);
    r = gk_fma(r, x, -0x1.6c16c16c16c0fp-9);
    r = gk_fma(r, x, 0x1.5555555555555p-4);
    return r;
}
/* j0: [0.0, 64.0], 4.35e-17 */
GKM double gk_p_j0(double x)
{
    x -= 0x1.0000000000000p+5;
    double r = -0x1.dc336a2b8360fp-153;
    r = gk_fma(r, x, 0x1.485a8b0dd2c16p-142);
    r = gk_fma(r, x, -0x1.94634d14642acp-132);
    r = gk_fma(r, x, 0x1.bbb4969c4e9e4p-122);
    r = gk_fma(r, x, -0x1.ada13fdd9b293p-112);
    r = gk_fma(r, x, 0x1.6bf3677468096p-102);
    r = gk_fma(r, x, -0x1.0b0f66cc41007p-92);
    r = gk_fma(r, x, 0x1.4f8dc89bd7973p-83);
    r = gk_fma(r, x, -0x1.64040c0339b9dp-74);
    r = gk_fma(r, x, 0x1.39ad2e53d5627p-65);
    r = gk_fma(r, x, -0x1.c1a7453acd45ep-57);
    r = gk_fma(r, x, 0x1.feca5d1cd8195p-49);
    r = gk_fma(r, x, -0x1.bc248dfa4308bp-41);
    r = gk_fma(r, x, 0x1.19a1b2886dd68p-33);
    r = gk_fma(r, x, -0x1.e3fa7b13ac12dp-27);
    r = gk_fma(r, x, 0x1.ef7b16178a92ep-21);
    r = gk_fma(r, x, -0x1.bf5476c0ed835p-16);
    return r;
}
/* j1: [0.0, 64.0], 5.48e-17 */
GKM double gk_p_j1(double x)
{
    x -= 0x1.0000000000000p+5;
    double r = -0x1.77bf3873c0ae1p-158;
    r = gk_fma(r, x, 0x1.1056a57558d4bp-147);
    r = gk_fma(r, x, -0x1.6189561204af7p-137);
    r = gk_fma(r, x, 0x1.99f741b91fa74p-127);
    r = gk_fma(r, x, -0x1.a4d9923833a4fp-117);
    r = gk_fma(r, x, 0x1.7b4baf3b18df2p-107);
    r = gk_fma(r, x, -0x1.2946305eb44bfp-97);
    r = gk_fma(r, x, 0x1.90bc3a750e5b6p-88);
    r = gk_fma(r, x, -0x1.ca79931011e12p-79);
    r = gk_fma(r, x, 0x1.b6231f993ea17p-70);
    r = gk_fma(r, x, -0x1.56eb395e0d875p-61);
    r = gk_fma(r, x, 0x1.acc0923dd416cp-53);
    r = gk_fma(r, x, -0x1.9e31ea49a5cadp-45);
    r = gk_fma(r, x, 0x1.2718c18803a36p-37);
    r = gk_fma(r, x, -0x1.20d17aa0a1734p-30);
    r = gk_fma(r, x, 0x1.568e3cbb4ee84p-24);
    r = gk_fma(r, x, -0x1.6e07fc146ce70p-19);
    return r;
}
/* y0: [0.0, 0.25], 8.99e-17 */
GKM double gk_p_y0(double x)
{
    double r = -0x1.a4f151e5803e4p-31;
    r = gk_fma(r, x, 0x1.bce3483520658p-24);
    r = gk_fma(r, x, -0x1.3e9978cace765p-17);
    r = gk_fma(r, x, 0x1.1a6206b78fbccp-11);
    r = gk_fma(r, x, -0x1.075b1bbf41285p-6);
    r = gk_fma(r, x, 0x1.6bbcb41034286p-3);
    r = gk_fma(r, x, -0x1.2e4d699cbd01fp-4);
    return r;
}
/* y1: [0.0, 1.5625], 3.95e-17 */
GKM double gk_p_y1(double x)
{
    double r = 0x1.9024c37276956p-59;
    r = gk_fma(r, x, -0x1.14686d2c58ff8p-50);
    r = gk_fma(r, x, 0x1.2a4e046c64841p-42);
    r = gk_fma(r, x, -0x1.f0ce34a018d17p-35);
    r = gk_fma(r, x, 0x1.32e5a4ddcc545p-27);
    r = gk_fma(r, x, -0x1.0a780ac776ce0p-20);
    r = gk_fma(r, x, 0x1.2c7dbffcde97bp-14);
    r = gk_fma(r, x, -0x1.835b97894be5bp-9);
    r = gk_fma(r, x, 0x1.bd3975c75b4a7p-5);
    r = gk_fma(r, x, -0x1.91866143cbc8ap-3);
    return r;
}
/* y0a: [0.5, 2.0], 7.21e-17 */
GKM double gk_p_y0a(double x)
{
    x -= 0x1.4000000000000p+0;
    double r = -0x1.5231c53ea4717p-17;
    r = gk_fma(r, x, 0x1.b05f7f8f04f46p-17);
    r = gk_fma(r, x, 0x1.21c26f69fc471p-15);
    r = gk_fma(r, x, -0x1.724211e1b31abp-15);
    r = gk_fma(r, x, -0x1.03e63e7526b53p-14);
    r = gk_fma(r, x, 0x1.4c1eb12f4ce5bp-14);
    r = gk_fma(r, x, 0x1.13197063c2cf8p-14);
    r = gk_fma(r, x, -0x1.5f65147969b5ap-14);
    r = gk_fma(r, x, -0x1.b77974916a5fcp-15);
    r = gk_fma(r, x, 0x1.18df4ff71de36p-14);
    r = gk_fma(r, x, 0x1.8e10451e453eep-16);
    r = gk_fma(r, x, -0x1.fb44b883b4036p-16);
    r = gk_fma(r, x, -0x1.1d296d3b92867p-16);
    r = gk_fma(r, x, 0x1.6ec44f9602851p-16);
    r = gk_fma(r, x, -0x1.cf9fc05b319f4p-18);
    r = gk_fma(r, x, 0x1.323dc5f693070p-17);
    r = gk_fma(r, x, -0x1.321d80c264ef9p-16);
    r = gk_fma(r, x, 0x1.915ad5f74e7c2p-16);
    r = gk_fma(r, x, -0x1.f8c996b5a0ef8p-16);
    r = gk_fma(r, x, 0x1.4d1361e9e279bp-15);
    r = gk_fma(r, x, -0x1.bac893714d0e0p-15);
    r = gk_fma(r, x, 0x1.2606c2e85359ap-14);
    r = gk_fma(r, x, -0x1.87e36b64a557cp-14);
    r = gk_fma(r, x, 0x1.06639c67bd745p-13);
    r = gk_fma(r, x, -0x1.6122ae472e236p-13);
    r = gk_fma(r, x, 0x1.de02ea780d8a4p-13);
    r = gk_fma(r, x, -0x1.45b44194bb412p-12);
    r = gk_fma(r, x, 0x1.bf60a71242d49p-12);
    r = gk_fma(r, x, -0x1.362edb7a614d1p-11);
    r = gk_fma(r, x, 0x1.b2d28a1b8550dp-11);
    r = gk_fma(r, x, -0x1.33d978a73966fp-10);
    r = gk_fma(r, x, 0x1.c53d5dd131221p-10);
    r = gk_fma(r, x, -0x1.6dae3261cefdcp-9);
    r = gk_fma(r, x, 0x1.3cf6392cf0da1p-9);
    r = gk_fma(r, x, -0x1.6f84c64ff711ep-14);
    r = gk_fma(r, x, 0x1.77924bfc38ea6p-5);
    return r;
}
/* y0b: [2.0, 4.5], 5.98e-17 */
GKM double gk_p_y0b(double x)
{
    x -= 0x1.a000000000000p+1;
    double r = 0x1.48a1c13960e36p-50;
    r = gk_fma(r, x, -0x1.1402ea6908ea9p-48);
    r = gk_fma(r, x, 0x1.f7ffc074261e6p-50);
    r = gk_fma(r, x, -0x1.aeab64dc9d5a6p-48);
    r = gk_fma(r, x, 0x1.33a9f27e88bbbp-44);
    r = gk_fma(r, x, -0x1.0418227cd295fp-42);
    r = gk_fma(r, x, 0x1.75882743c7b5cp-41);
    r = gk_fma(r, x, -0x1.3d6cda3c2f08bp-39);
    r = gk_fma(r, x, 0x1.14f51e97e6a4bp-37);
    r = gk_fma(r, x, -0x1.d890fb42bb309p-36);
    r = gk_fma(r, x, 0x1.9343898baae5fp-34);
    r = gk_fma(r, x, -0x1.59d3774a62b53p-32);
    r = gk_fma(r, x, 0x1.29865e4aa591ap-30);
    r = gk_fma(r, x, -0x1.00af16634f8d8p-28);
    r = gk_fma(r, x, 0x1.bb86b2104219fp-27);
    r = gk_fma(r, x, -0x1.8333352202094p-25);
    r = gk_fma(r, x, 0x1.5d54f1cda7c77p-23);
    r = gk_fma(r, x, -0x1.23808c02f16cap-21);
    r = gk_fma(r, x, 0x1.6178d309bfcd3p-20);
    r = gk_fma(r, x, -0x1.07c3d953955ecp-17);
    r = gk_fma(r, x, 0x1.33d89a4329aa0p-14);
    r = gk_fma(r, x, -0x1.02faf740804b4p-15);
    r = gk_fma(r, x, -0x1.dc706800b4c6bp-10);
    r = gk_fma(r, x, -0x1.91883c3aaf8d1p-9);
    r = gk_fma(r, x, 0x1.712ec12bd05efp-5);
    return r;
}
/* y0c: [4.5, 8.0], 6.74e-17 */
GKM double gk_p_y0c(double x)
{
    x -= 0x1.9000000000000p+2;
    double r = 0x1.71952c04c134cp-63;
    r = gk_fma(r, x, -0x1.2aa8a8deffa5dp-60);
    r = gk_fma(r, x, 0x1.29cb51bbb97b6p-58);
    r = gk_fma(r, x, -0x1.e366cf05be647p-56);
    r = gk_fma(r, x, 0x1.ad5b7913dc98bp-53);
    r = gk_fma(r, x, -0x1.5b5a82f6bd3eep-50);
    r = gk_fma(r, x, 0x1.2af8c00ae19b1p-47);
    r = gk_fma(r, x, -0x1.faa67141cc8e4p-45);
    r = gk_fma(r, x, 0x1.f0334b39b8ffcp-43);
    r = gk_fma(r, x, -0x1.df62c6df2c924p-41);
    r = gk_fma(r, x, 0x1.5173186932340p-35);
    r = gk_fma(r, x, -0x1.a33f5bc2a5083p-32);
    r = gk_fma(r, x, -0x1.92441304e23e7p-29);
    r = gk_fma(r, x, 0x1.5ae50cb9dcf31p-25);
    r = gk_fma(r, x, 0x1.8f6090a423c5bp-22);
    r = gk_fma(r, x, -0x1.4942f8fdac0d2p-18);
    r = gk_fma(r, x, -0x1.159359ca02487p-16);
    r = gk_fma(r, x, 0x1.368648eb80376p-12);
    r = gk_fma(r, x, 0x1.85582f065bda5p-13);
    r = gk_fma(r, x, -0x1.34f1698d651ffp-7);
    r = gk_fma(r, x, 0x1.7a26ffc29daeep-6);
    return r;
}
/* y1a: [1.25, 3.0], 9.22e-17 */
GKM double gk_p_y1a(double x)
{
    x -= 0x1.1000000000000p+1;
    double r = -0x1.299e8c3ecc288p-30;
    r = gk_fma(r, x, 0x1.3c24d7c7ca179p-29);
    r = gk_fma(r, x, 0x1.43a2d78cf82dbp-32);
    r = gk_fma(r, x, -0x1.5826863545051p-31);
    r = gk_fma(r, x, -0x1.490fb3a315ef0p-27);
    r = gk_fma(r, x, 0x1.5d792d5605c6dp-26);
    r = gk_fma(r, x, -0x1.00fdcf5f3b687p-25);
    r = gk_fma(r, x, 0x1.10d94bd34a6e7p-24);
    r = gk_fma(r, x, -0x1.37e1b1895aa03p-23);
    r = gk_fma(r, x, 0x1.4b0b498aa16dap-22);
    r = gk_fma(r, x, -0x1.5c6b3341afce5p-21);
    r = gk_fma(r, x, 0x1.71a6cb9baae02p-20);
    r = gk_fma(r, x, -0x1.884cab2d5eccdp-19);
    r = gk_fma(r, x, 0x1.9fe07393028eap-18);
    r = gk_fma(r, x, -0x1.b8922bcf8357ep-17);
    r = gk_fma(r, x, 0x1.d24db63c233c1p-16);
    r = gk_fma(r, x, -0x1.ed6df4ef0fc17p-15);
    r = gk_fma(r, x, 0x1.05269da462a01p-13);
    r = gk_fma(r, x, -0x1.0d4fbf52051b0p-12);
    r = gk_fma(r, x, 0x1.0d39fafcb06dcp-11);
    r = gk_fma(r, x, -0x1.7487e13550fb5p-10);
    r = gk_fma(r, x, 0x1.ebe5903cd9c98p-9);
    r = gk_fma(r, x, 0x1.5c920519aece7p-8);
    r = gk_fma(r, x, -0x1.cac293f8be624p-7);
    r = gk_fma(r, x, -0x1.47f06f60dbeb8p-3);
    return r;
}
/* y1b: [3.0, 5.0], 2.61e-17 */
GKM double gk_p_y1b(double x)
{
    x -= 0x1.0000000000000p+2;
    double r = 0x1.2802415a347c4p-44;
    r = gk_fma(r, x, -0x1.2785b68a3a6b1p-42);
    r = gk_fma(r, x, 0x1.94ebb33818e79p-41);
    r = gk_fma(r, x, -0x1.93ee7cc3cc1f5p-39);
    r = gk_fma(r, x, 0x1.ab53c72aa27bcp-37);
    r = gk_fma(r, x, -0x1.a9df2030c3863p-35);
    r = gk_fma(r, x, 0x1.a6a99e57b7f98p-33);
    r = gk_fma(r, x, -0x1.a5632e18f7a0ep-31);
    r = gk_fma(r, x, 0x1.9f2ecfbe1346bp-29);
    r = gk_fma(r, x, -0x1.93814f0dd3201p-27);
    r = gk_fma(r, x, 0x1.b8f08a84c1192p-25);
    r = gk_fma(r, x, -0x1.ffcf5858f90acp-23);
    r = gk_fma(r, x, 0x1.7e1133473f150p-22);
    r = gk_fma(r, x, 0x1.073dac3c23b0bp-19);
    r = gk_fma(r, x, 0x1.518c08bdfdb16p-15);
    r = gk_fma(r, x, -0x1.73eb720a3b3aap-12);
    r = gk_fma(r, x, -0x1.0c95bcc9dfbf2p-10);
    r = gk_fma(r, x, 0x1.4be28f930784ep-7);
    r = gk_fma(r, x, 0x1.75d31336d11b8p-6);
    r = gk_fma(r, x, -0x1.3c2d77ca51489p-3);
    return r;
}
/* y1c: [5.0, 8.0], 4.12e-17 */
GKM double gk_p_y1c(double x)
{
    x -= 0x1.a000000000000p+2;
    double r = 0x1.1249112aa9761p-58;
    r = gk_fma(r, x, -0x1.bd73dd5ef4053p-56);
    r = gk_fma(r, x, 0x1.07b6d68391c41p-53);
    r = gk_fma(r, x, -0x1.9a41cf6c3338ap-51);
    r = gk_fma(r, x, 0x1.5dcf62ac17ce9p-48);
    r = gk_fma(r, x, -0x1.6c66361f44442p-45);
    r = gk_fma(r, x, 0x1.16003ceca384ep-42);
    r = gk_fma(r, x, 0x1.9da12dcbf091bp-41);
    r = gk_fma(r, x, -0x1.43c2e51351063p-39);
    r = gk_fma(r, x, -0x1.e3936bebfb580p-32);
    r = gk_fma(r, x, 0x1.5e92328a7450cp-29);
    r = gk_fma(r, x, 0x1.a3a7b8805748ap-25);
    r = gk_fma(r, x, -0x1.457d440a5555cp-22);
    r = gk_fma(r, x, -0x1.304574a8d6aa4p-18);
    r = gk_fma(r, x, 0x1.03319d59876e9p-15);
    r = gk_fma(r, x, 0x1.bb9e4e34003a3p-13);
    r = gk_fma(r, x, -0x1.b3388707ac527p-10);
    r = gk_fma(r, x, -0x1.dd3abc1b8dfebp-9);
    r = gk_fma(r, x, 0x1.4fab76ae94aefp-5);
    r = gk_fma(r, x, -0x1.e78b8fd703766p-5);
    return r;
}
/* m0: [0.0, 0.015625], 9.08e-17 */
GKM double gk_p_m0(double x)
{
    double r = -0x1.b95617bea1efcp+34;
    r = gk_fma(r, x, 0x1.8ef56a9880610p+31);
    r = gk_fma(r, x, -0x1.5869873306e1cp+27);
    r = gk_fma(r, x, 0x1.8c697843a7b11p+22);
    r = gk_fma(r, x, -0x1.765d3fe59e75ap+17);
    r = gk_fma(r, x, 0x1.65dbd246f5ce4p+12);
    r = gk_fma(r, x, -0x1.ab8509c1398c1p+7);
    r = gk_fma(r, x, 0x1.78c3138d43d6cp+3);
    r = gk_fma(r, x, -0x1.193fc8ac0a1e5p+0);
    r = gk_fma(r, x, 0x1.afffffa4987b5p-3);
    r = gk_fma(r, x, -0x1.fffffffff0f57p-4);
    r = gk_fma(r, x, 0x1.0000000000000p+0);
    return r;
}
/* m1: [0.0, 0.015625], 1.02e-16 */
GKM double gk_p_m1(double x)
{
    double r = 0x1.f552a67b8ecbep+34;
    r = gk_fma(r, x, -0x1.c6144b947b4d3p+31);
    r = gk_fma(r, x, 0x1.894c6c2f2fc31p+27);
    r = gk_fma(r, x, -0x1.c75efd9be7d05p+22);
    r = gk_fma(r, x, 0x1.b2c4f8e935351p+17);
    r = gk_fma(r, x, -0x1.a7c622ffe6e67p+12);
    r = gk_fma(r, x, 0x1.0558e5d9a5d70p+8);
    r = gk_fma(r, x, -0x1.e46b6414a1c5bp+3);
    r = gk_fma(r, x, 0x1.89bfc1cca455ap+0);
    r = gk_fma(r, x, -0x1.67ffffcc9ad3ep-2);
    r = gk_fma(r, x, 0x1.7ffffffffbc54p-2);
    r = gk_fma(r, x, 0x1.0000000000000p+0);
    return r;
}
/* t0: [0.0, 0.015625], 5.21e-17 */
GKM double gk_p_t0(double x)
{
    double r = -0x1.571bf402cd707p+53;
    r = gk_fma(r, x, 0x1.648d225755dc9p+50);
    r = gk_fma(r, x, -0x1.5901e80039a1ep+46);
    r = gk_fma(r, x, 0x1.a1d1d28261beep+41);
    r = gk_fma(r, x, -0x1.6adbbdb5ab56ep+36);
    r = gk_fma(r, x, 0x1.f48a125a9a026p+30);
    r = gk_fma(r, x, -0x1.31f8c265131c8p+25);
    r = gk_fma(r, x, 0x1.7b8f4303af621p+19);
    r = gk_fma(r, x, -0x1.14b4a9aeaed92p+14);
    r = gk_fma(r, x, 0x1.0babd6e029e5cp+9);
    r = gk_fma(r, x, -0x1.779836d0c7faap+4);
    r = gk_fma(r, x, 0x1.a358419d33d7cp+0);
    r = gk_fma(r, x, -0x1.ad33332b49ea8p-3);
    r = gk_fma(r, x, 0x1.0aaaaaaaa9d58p-4);
    r = gk_fma(r, x, -0x1.0000000000000p-3);
    return r;
}
/* t1: [0.0, 0.015625], 4.37e-17 */
GKM double gk_p_t1(double x)
{
    double r = 0x1.7fac133301c9cp+53;
    r = gk_fma(r, x, -0x1.8f0808d25d8cfp+50);
    r = gk_fma(r, x, 0x1.829364d920088p+46);
    r = gk_fma(r, x, -0x1.d505e721d34c9p+41);
    r = gk_fma(r, x, 0x1.988a81b75d60bp+36);
    r = gk_fma(r, x, -0x1.1b34c2d33da5cp+31);
    r = gk_fma(r, x, 0x1.5d4b8f5c020f5p+25);
    r = gk_fma(r, x, -0x1.b7d0b3bbd857dp+19);
    r = gk_fma(r, x, 0x1.48598257ae14cp+14);
    r = gk_fma(r, x, -0x1.496d6a46c1d3fp+9);
    r = gk_fma(r, x, 0x1.e9f9d5df9bfd1p+4);
    r = gk_fma(r, x, -0x1.2f4869898ca60p+1);
    r = gk_fma(r, x, 0x1.7bccccc868ed8p-2);
    r = gk_fma(r, x, -0x1.4fffffffff89bp-3);
    r = gk_fma(r, x, 0x1.8000000000000p-2);
    return r;
}
/* i0: [0.0, 64.0], 2.8e-17 */
GKM double gk_p_i0(double x)
{
    double r = 0x1.0b7cab2f34743p-151;
    r = gk_fma(r, x, 0x1.c4a39576f59d1p-142);
    r = gk_fma(r, x, 0x1.45942923d7987p-131);
    r = gk_fma(r, x, 0x1.695af5654284ap-121);
    r = gk_fma(r, x, 0x1.6a05eb7d5abc9p-111);
    r = gk_fma(r, x, 0x1.3e21e507c165dp-101);
    r = gk_fma(r, x, 0x1.e72572382e283p-92);
    r = gk_fma(r, x, 0x1.4197a6f6d6eb9p-82);
    r = gk_fma(r, x, 0x1.69ca9d037f8b6p-73);
    r = gk_fma(r, x, 0x1.5601885da0e63p-64);
    r = gk_fma(r, x, 0x1.0b313289c5526p-55);
    r = gk_fma(r, x, 0x1.522a43f6541c6p-47);
    r = gk_fma(r, x, 0x1.522a43f6548b2p-39);
    r = gk_fma(r, x, 0x1.02e85c0898b6fp-31);
    r = gk_fma(r, x, 0x1.23456789abcdfp-24);
    r = gk_fma(r, x, 0x1.c71c71c71c71cp-18);
    r = gk_fma(r, x, 0x1.c71c71c71c71cp-12);
    r = gk_fma(r, x, 0x1.0000000000000p-6);
    r = gk_fma(r, x, 0x1.0000000000000p-2);
    r = gk_fma(r, x, 0x1.0000000000000p+0);
    return r;
}
/* i1: [0.0, 64.0], 2.21e-17 */
GKM double gk_p_i1(double x)
{
    double r = 0x1.a40be3980aa9dp-157;
    r = gk_fma(r, x, 0x1.81fefdd800941p-147);
    r = gk_fma(r, x, 0x1.20b9ceb2abb47p-136);
    r = gk_fma(r, x, 0x1.54372d1e9828ep-126);
    r = gk_fma(r, x, 0x1.6a026a3930712p-116);
    r = gk_fma(r, x, 0x1.5357a7355d8c6p-106);
    r = gk_fma(r, x, 0x1.165e8585a7e91p-96);
    r = gk_fma(r, x, 0x1.8bce57d15f751p-87);
    r = gk_fma(r, x, 0x1.e2637bfb75e01p-78);
    r = gk_fma(r, x, 0x1.f17697ce8ab36p-69);
    r = gk_fma(r, x, 0x1.ab81ea7602543p-60);
    r = gk_fma(r, x, 0x1.2c9758daf5a52p-51);
    r = gk_fma(r, x, 0x1.522a43f654885p-43);
    r = gk_fma(r, x, 0x1.27e4fb7789f5cp-35);
    r = gk_fma(r, x, 0x1.845c8a0ce5129p-28);
    r = gk_fma(r, x, 0x1.6c16c16c16c17p-21);
    r = gk_fma(r, x, 0x1.c71c71c71c71cp-15);
    r = gk_fma(r, x, 0x1.5555555555555p-9);
    r = gk_fma(r, x, 0x1.0000000000000p-4);
    r = gk_fma(r, x, 0x1.0000000000000p-1);
    return r;
}
/* i0a: [0.0, 0.125], 1.06e-16 */
GKM double gk_p_i0a(double x)
{
    double r = -0x1.ada2c97f3fdddp+56;
    r = gk_fma(r, x, 0x1.66e8e3430e1bep+57);
    r = gk_fma(r, x, -0x1.131e8a75c7100p+57);
    r = gk_fma(r, x, 0x1.01711d545cedfp+56);
    r = gk_fma(r, x, -0x1.49bf6b26afe43p+54);
    r = gk_fma(r, x, 0x1.3311e67c5ca99p+52);
    r = gk_fma(r, x, -0x1.af0b929606ad8p+49);
    r = gk_fma(r, x, 0x1.d2905a59aaed2p+46);
    r = gk_fma(r, x, -0x1.8b2a0d9fc19b3p+43);
    r = gk_fma(r, x, 0x1.084b28a643c85p+40);
    r = gk_fma(r, x, -0x1.18899a8c1ff1cp+36);
    r = gk_fma(r, x, 0x1.d933166ce357ep+31);
    r = gk_fma(r, x, -0x1.3c6a44a7c1403p+27);
    r = gk_fma(r, x, 0x1.4d9c1db9285eap+22);
    r = gk_fma(r, x, -0x1.12a3638e0f31bp+17);
    r = gk_fma(r, x, 0x1.5c7642a88e8ebp+11);
    r = gk_fma(r, x, -0x1.47797804658a5p+5);
    r = gk_fma(r, x, 0x1.5e96982013a9dp-1);
    r = gk_fma(r, x, 0x1.64a80d3cd551ap-4);
    r = gk_fma(r, x, 0x1.6ead5772f893ap-5);
    r = gk_fma(r, x, 0x1.debad42b01020p-6);
    r = gk_fma(r, x, 0x1.cb94ddbf0140ap-6);
    r = gk_fma(r, x, 0x1.9884533d4133bp-5);
    r = gk_fma(r, x, 0x1.9884533d43651p-2);
    return r;
}
/* i1a: [0.0, 0.125], 8.7e-17 */
GKM double gk_p_i1a(double x)
{
    double r = 0x1.8a72ab2fc6959p+56;
    r = gk_fma(r, x, -0x1.4fb110f69d6c3p+57);
    r = gk_fma(r, x, 0x1.05118337f94f9p+57);
    r = gk_fma(r, x, -0x1.ee4068a538e44p+55);
    r = gk_fma(r, x, 0x1.3f827b276b64ep+54);
    r = gk_fma(r, x, -0x1.2bd5859c6fc46p+52);
    r = gk_fma(r, x, 0x1.a79590dc9ccd5p+49);
    r = gk_fma(r, x, -0x1.ccf0b85f533a8p+46);
    r = gk_fma(r, x, 0x1.88272f54d7775p+43);
    r = gk_fma(r, x, -0x1.074557f1a3b54p+40);
    r = gk_fma(r, x, 0x1.18582d2b239c5p+36);
    r = gk_fma(r, x, -0x1.da2750869210cp+31);
    r = gk_fma(r, x, 0x1.3dc7ff61dab68p+27);
    r = gk_fma(r, x, -0x1.4fb436f4878cfp+22);
    r = gk_fma(r, x, 0x1.14d11d2bdbd64p+17);
    r = gk_fma(r, x, -0x1.5fc1b83696ebap+11);
    r = gk_fma(r, x, 0x1.4a21c3b06e271p+5);
    r = gk_fma(r, x, -0x1.7689c70fd7a22p-1);
    r = gk_fma(r, x, -0x1.b6f2905fdef26p-4);
    r = gk_fma(r, x, -0x1.d766c16b26f52p-5);
    r = gk_fma(r, x, -0x1.4f1c6d2ea3700p-5);
    r = gk_fma(r, x, -0x1.7efc0e16a7ad0p-5);
    r = gk_fma(r, x, -0x1.32633e6df1fd8p-3);
    r = gk_fma(r, x, 0x1.9884533d43650p-2);
    return r;
}
/* exp: [-0.3467, 0.3467], 8.0e-9 */
GKM float gk_p_expf(float x)
{
    float r = 0x1.a125160000000p-13f;
    r = gk_fmaf(r, x, 0x1.6d434e0000000p-10f);
    r = gk_fmaf(r, x, 0x1.1110e00000000p-7f);
    r = gk_fmaf(r, x, 0x1.5554e80000000p-5f);
    r = gk_fmaf(r, x, 0x1.5555560000000p-3f);
    r = gk_fmaf(r, x, 0x1.0000000000000p-1f);
    return r;
}
/* log: [-0.334, 0.334], 9.09e-8 */
GKM float gk_p_logf(float x)
{
    float r = 0x1.d087600000000p-4f;
    r = gk_fmaf(r, x, -0x1.fd462a0000000p-4f);
    r = gk_fmaf(r, x, 0x1.bf08c60000000p-4f);
    r = gk_fmaf(r, x, -0x1.f744f80000000p-4f);
    r = gk_fmaf(r, x, 0x1.24b2f60000000p-3f);
    r = gk_fmaf(r, x, -0x1.5578a60000000p-3f);
    r = gk_fmaf(r, x, 0x1.9999540000000p-3f);
    r = gk_fmaf(r, x, -0x1.ffffb40000000p-3f);
    r = gk_fmaf(r, x, 0x1.5555560000000p-2f);
    return r;
}
/* log5: [0.0, 0.02945], 3.86e-7 */
GKM float gk_p_log5f(float x)
{
    float r = 0x1.d808a20000000p-3f;
    r = gk_fmaf(r, x, 0x1.247a2c0000000p-2f);
    r = gk_fmaf(r, x, 0x1.9999a40000000p-2f);
    return r;
}
/* sin: [0.0, 0.617], 3.01e-8 */
GKM float gk_p_sinf(float x)
{
    float r = 0x1.6dbdc60000000p-19f;
    r = gk_fmaf(r, x, -0x1.a013a60000000p-13f);
    r = gk_fmaf(r, x, 0x1.11110e0000000p-7f);
    r = gk_fmaf(r, x, -0x1.5555560000000p-3f);
    return r;
}
/* cos: [0.0, 0.617], 2.98e-8 */
GKM float gk_p_cosf(float x)
{
    float r = -0x1.2524220000000p-22f;
    r = gk_fmaf(r, x, 0x1.a015c40000000p-16f);
    r = gk_fmaf(r, x, -0x1.6c16c00000000p-10f);
    r = gk_fmaf(r, x, 0x1.5555560000000p-5f);
    return r;
}
/* tan: [0.0, 0.617], 2.51e-8 */
GKM float gk_p_tanf(float x)
{
    float r = 0x1.d52eb00000000p-10f;
    r = gk_fmaf(r, x, -0x1.1fba5e0000000p-20f);
    r = gk_fmaf(r, x, 0x1.2212780000000p-8f);
    r = gk_fmaf(r, x, 0x1.1a18f20000000p-7f);
    r = gk_fmaf(r, x, 0x1.66fc4e0000000p-6f);
    r = gk_fmaf(r, x, 0x1.ba14d40000000p-5f);
    r = gk_fmaf(r, x, 0x1.11111e0000000p-3f);
    r = gk_fmaf(r, x, 0x1.5555560000000p-2f);
    return r;
}
/* atan: [0.0, 0.1716], 3.28e-8 */
GKM float gk_p_atanf(float x)
{
    float r = 0x1.9d84780000000p-5f;
    r = gk_fmaf(r, x, -0x1.6142fe0000000p-4f);
    r = gk_fmaf(r, x, 0x1.c57b800000000p-4f);
    r = gk_fmaf(r, x, -0x1.248a160000000p-3f);
    r = gk_fmaf(r, x, 0x1.99997c0000000p-3f);
    r = gk_fmaf(r, x, -0x1.5555560000000p-2f);
    return r;
}
/* asin: [0.0, 0.25], 2.63e-8 */
GKM float gk_p_asinf(float x)
{
    float r = 0x1.fb7ca40000000p-6f;
    r = gk_fmaf(r, x, 0x1.5a80a00000000p-7f);
    r = gk_fmaf(r, x, 0x1.82db240000000p-6f);
    r = gk_fmaf(r, x, 0x1.efedf80000000p-6f);
    r = gk_fmaf(r, x, 0x1.6dc0f00000000p-5f);
    r = gk_fmaf(r, x, 0x1.33331e0000000p-4f);
    r = gk_fmaf(r, x, 0x1.5555560000000p-3f);
    return r;
}
/* erf: [0.0, 1.0], 3.44e-8 */
GKM float gk_p_erff(float x)
{
    float r = 0x1.4a56900000000p-14f;
    r = gk_fmaf(r, x, -0x1.a450880000000p-11f);
    r = gk_fmaf(r, x, 0x1.5412700000000p-8f);
    r = gk_fmaf(r, x, -0x1.b7faba0000000p-6f);
    r = gk_fmaf(r, x, 0x1.ce2d100000000p-4f);
    r = gk_fmaf(r, x, -0x1.81273e0000000p-2f);
    r = gk_fmaf(r, x, 0x1.06eba80000000p-3f);
    return r;
}
/* erfcx: [-1.0, 1.0], 3.21e-8 */
GKM float gk_p_erfcxf(float x)
{
    float r = 0x1.e916e20000000p-14f;
    r = gk_fmaf(r, x, -0x1.04b5ba0000000p-12f);
    r = gk_fmaf(r, x, -0x1.7791740000000p-11f);
    r = gk_fmaf(r, x, 0x1.4d1b640000000p-8f);
    r = gk_fmaf(r, x, -0x1.09c9260000000p-6f);
    r = gk_fmaf(r, x, 0x1.30400e0000000p-5f);
    r = gk_fmaf(r, x, -0x1.0fa8fa0000000p-4f);
    r = gk_fmaf(r, x, 0x1.7ff5fa0000000p-4f);
    r = gk_fmaf(r, x, -0x1.9ddc120000000p-4f);
    r = gk_fmaf(r, x, 0x1.16ebf80000000p-4f);
    r = gk_fmaf(r, x, 0x1.f7f6240000000p-7f);
    r = gk_fmaf(r, x, -0x1.1df1a80000000p-3f);
    r = gk_fmaf(r, x, 0x1.3ba5920000000p+0f);
    return r;
}
/* tanh: [0.0, 0.3026], 3.72e-8 */
GKM float gk_p_tanhf(float x)
{
    float r = 0x1.4b1a280000000p-9f;
    r = gk_fmaf(r, x, -0x1.1762740000000p-7f);
    r = gk_fmaf(r, x, 0x1.6579040000000p-6f);
    r = gk_fmaf(r, x, -0x1.ba142c0000000p-5f);
    r = gk_fmaf(r, x, 0x1.1111040000000p-3f);
    r = gk_fmaf(r, x, -0x1.5555560000000p-2f);
    return r;
}
