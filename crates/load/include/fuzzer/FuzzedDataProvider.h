/* The class of libFuzzer's that C++ fuzz targets split their bytes with, so that they compile as they are. It takes the same bytes for
 * the same calls: strings and bytes come from the front, numbers from the back, so that a stored input means the same there and here.
 * Like there, what is left counts when there is too little. */
#ifndef FUZZED_DATA_PROVIDER_H
#define FUZZED_DATA_PROVIDER_H

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

class FuzzedDataProvider {
  public:
    FuzzedDataProvider(const uint8_t *data, size_t size) : front_(data), left_(size) {}
    FuzzedDataProvider(const FuzzedDataProvider &) = delete;
    FuzzedDataProvider &operator=(const FuzzedDataProvider &) = delete;

    size_t remaining_bytes() { return left_; }

    /* Bytes, from the front. */
    template <typename T> std::vector<T> ConsumeBytes(size_t count) { return bytes<T>(at_most(count), 0); }
    template <typename T> std::vector<T> ConsumeBytesWithTerminator(size_t count, T end = 0) {
        std::vector<T> all = bytes<T>(at_most(count), 1);
        all.back() = end;
        return all;
    }
    template <typename T> std::vector<T> ConsumeRemainingBytes() { return ConsumeBytes<T>(left_); }
    std::string ConsumeBytesAsString(size_t count) {
        std::vector<char> all = ConsumeBytes<char>(count);
        return std::string(all.begin(), all.end());
    }
    std::string ConsumeRemainingBytesAsString() { return ConsumeBytesAsString(left_); }
    size_t ConsumeData(void *destination, size_t count) {
        count = at_most(count);
        std::memcpy(destination, front_, count);
        advance(count);
        return count;
    }

    /* A string that ends at `\` and anything but another `\`, at the longest length, or with the data. */
    std::string ConsumeRandomLengthString(size_t longest) {
        std::string text;
        while (text.size() < longest && left_ > 0) {
            char next = take_first();
            if (next == '\\' && left_ > 0) {
                next = take_first();
                if (next != '\\')
                    break;
            }
            text.push_back(next);
        }
        return text;
    }
    std::string ConsumeRandomLengthString() { return ConsumeRandomLengthString(left_); }

    /* Numbers, from the back. */
    template <typename T> T ConsumeIntegral() {
        return ConsumeIntegralInRange(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }
    template <typename T> T ConsumeIntegralInRange(T least, T most) {
        static_assert(std::is_integral<T>::value && sizeof(T) <= sizeof(uint64_t), "an integer of at most 64 bits");
        if (least > most)
            abort();
        const uint64_t range = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
        uint64_t number = 0;
        for (size_t bits = 0; bits < sizeof(T) * CHAR_BIT && range >> bits > 0 && left_ > 0; bits += CHAR_BIT)
            number = number << CHAR_BIT | front_[--left_];
        if (range != std::numeric_limits<uint64_t>::max())
            number %= range + 1;
        return static_cast<T>(static_cast<uint64_t>(least) + number);
    }
    bool ConsumeBool() { return 1 & ConsumeIntegral<bool>(); }
    template <typename T> T ConsumeEnum() {
        static_assert(std::is_enum<T>::value, "an enum with kMaxValue");
        return static_cast<T>(ConsumeIntegralInRange<uint32_t>(0, static_cast<uint32_t>(T::kMaxValue)));
    }
    template <typename T> T ConsumeProbability() {
        static_assert(std::is_floating_point<T>::value, "a float");
        using Number = typename std::conditional<(sizeof(T) <= sizeof(uint32_t)), uint32_t, uint64_t>::type;
        return static_cast<T>(ConsumeIntegral<Number>()) / static_cast<T>(std::numeric_limits<Number>::max());
    }
    template <typename T> T ConsumeFloatingPoint() {
        return ConsumeFloatingPointInRange<T>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
    }
    template <typename T> T ConsumeFloatingPointInRange(T least, T most) {
        if (least > most)
            abort();
        T range = most - least, from = least;
        if (most > 0 && least < 0 && most > least + std::numeric_limits<T>::max()) {
            /* Too wide for one number: which half comes first. */
            range = most / 2 - least / 2;
            if (ConsumeBool())
                from += range;
        }
        return from + range * ConsumeProbability<T>();
    }

    /* One of several. */
    template <typename T, size_t count> T PickValueInArray(const T (&values)[count]) {
        return values[ConsumeIntegralInRange<size_t>(0, count - 1)];
    }
    template <typename T, size_t count> T PickValueInArray(const std::array<T, count> &values) {
        return values[ConsumeIntegralInRange<size_t>(0, count - 1)];
    }
    template <typename T> T PickValueInArray(std::initializer_list<const T> values) {
        return *(values.begin() + ConsumeIntegralInRange<size_t>(0, values.size() - 1));
    }

  private:
    const uint8_t *front_;
    size_t left_;

    size_t at_most(size_t count) const { return count < left_ ? count : left_; }
    void advance(size_t count) {
        front_ += count;
        left_ -= count;
    }
    char take_first() {
        char first = static_cast<char>(*front_);
        advance(1);
        return first;
    }
    template <typename T> std::vector<T> bytes(size_t count, size_t more) {
        static_assert(sizeof(T) == 1, "bytes");
        std::vector<T> all(count + more);
        if (count > 0)
            std::memcpy(all.data(), front_, count);
        advance(count);
        return all;
    }
};

#endif
